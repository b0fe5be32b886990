import { fromJson } from "@thoughtflow/schema/plain-json";
import { eachLine } from "./each-line.ts";
import type { FileSystem } from "./file-system.ts";

/** Called with a step's bytes, good until it returns, and where they begin in the file; gives what stands for the step. */
export type StepFrom = (bytes: Buffer, start: number) => unknown;

/** What a scan is told of a file. */
export interface DocumentScan {
  readonly fd: number;
  readonly stepFrom: StepFrom;
  /** Called with all bytes of the file, in order. */
  readonly onBytes?: (bytes: Buffer) => void;
}

const RUNS = '  "conversations": [';
const RUNS_END = /^ {2}\],?$/;
const RUN_END = /^ {4}\},?$/;
const STEPS = '      "steps": [';
const STEP_INDENT = 8;

const [SPACE, COMMA, OPEN, CLOSE] = Buffer.from(" ,{}") as unknown as readonly number[];

/**
 * The value of a document, or of a part of one, that is indented as the canonical form is: never more of it is in memory than a
 * step and what `stepFrom` gives. JSON that is indented otherwise is in memory at once. Throws what `JSON.parse` and the
 * file system throw.
 */
export function scanDocument({ fd, stepFrom, onBytes }: DocumentScan, fs: FileSystem): unknown {
  /** All but its runs. */
  const documentLines: string[] = [];
  /** All but its steps. */
  let runLines: string[] = [];
  let runs: unknown[] | undefined;
  let steps: unknown[] | undefined;
  let place: "document" | "runs" | "steps" = "document";

  /** Tells whether the line goes on in the next. */
  function takeStep(bytes: Buffer, start: number, end: number, begin: number, offset: number) {
    const indent = indentOf(bytes, start, end);
    if (indent > STEP_INDENT) return true;
    if (indent < STEP_INDENT) {
      place = "runs";
      takeLine(bytes.toString("utf8", start, end));
      return false;
    }
    const first = bytes[start + STEP_INDENT];
    if (first === OPEN && end === start + STEP_INDENT + 1) return true;
    const last = bytes[end - 1] === COMMA ? end - 1 : end;
    const from = first === CLOSE ? begin : start;
    steps?.push(stepFrom(bytes.subarray(from, last), offset + from));
    return false;
  }

  function takeLine(line: string): void {
    if (place === "document" || RUNS_END.test(line)) {
      documentLines.push(line);
      place = line === RUNS ? "runs" : "document";
      if (place === "runs") runs = [];
    } else if (RUN_END.test(line)) {
      const run = fromJson(`${runLines.join("\n")}}`);
      runs?.push(steps === undefined ? run : Object.assign(run, { steps }));
      runLines = [];
      steps = undefined;
    } else {
      runLines.push(line);
      if (line !== STEPS) return;
      place = "steps";
      steps = [];
    }
  }

  eachLine(fd, fs, {
    onBytes,
    onLine(bytes, start, end, begin, offset) {
      if (place === "steps") return takeStep(bytes, start, end, begin, offset);
      takeLine(bytes.toString("utf8", start, end));
      return false;
    },
  });
  const value = fromJson(documentLines.join("\n"));
  return runs === undefined ? value : Object.assign(value, { conversations: runs });
}

function indentOf(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] === SPACE) at++;
  return at - start;
}
