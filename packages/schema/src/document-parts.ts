import {
  aroundRuns,
  aroundSteps,
  canonicalStep,
  type ReplaceContent,
  RUN_BREAK,
  STEP_BREAK,
} from "./canonical.ts";
import type { Part, Run, Session } from "./document.ts";
import { toIndentedJson, toJson } from "./plain-json.ts";
import { SCHEMA_VERSION } from "./schema-version.ts";

/** Bytes that the runs of one file take at most: what is longer no program of Node could read in one piece. */
export const PART_BYTES: number = 256 * 2 ** 20;

/** Where a part stands now, and what it is. */
export type WrittenPart = Pick<Part, "path" | "bytes" | "sha256">;

/** Writes a part, all of it. Throws where it can't, which ends the writing of the document. */
export type WritePart = (number: number, chunks: Iterable<string>) => WrittenPart;

/** How a document goes over several files. */
export interface DocumentPartsOptions {
  readonly sessionId: string;
  readonly writePart: WritePart;
  /** Bytes that the list of runs in one file takes at most; a step that is longer stands alone. Default `PART_BYTES`. */
  readonly mostBytes?: number;
  /** Default: what is there. */
  readonly replace?: ReplaceContent | undefined;
}

/** What a part holds. */
export interface PartOfSession {
  readonly schema_version?: string;
  readonly session_id: string;
  /** Counted from 1. */
  readonly part: number;
  /** The first run goes on from the last one of the file before: with its id and more steps, and nothing else. */
  readonly continues?: boolean;
  readonly conversations: readonly Run[];
}

/** Texts of a file. Who has written one may answer how many bytes it took, or it is measured. */
export type FileTexts<T> = Generator<string, T, number | undefined>;

/**
 * A session's first file, text by text. Runs that are too many for it are given to `writePart` meanwhile; their list stands at the
 * end. A session that fits is as `canonicalChunks` gives it, and its parts joined are, too. Which step stands where depends on
 * the document alone.
 */
export function* documentInParts(session: Session, options: DocumentPartsOptions): FileTexts<void> {
  const [before, behind] = aroundRuns(session);
  yield before;
  const parts = yield* runsInParts(session.conversations, options);
  yield parts.length === 0 ? behind : aroundRuns({ ...session, parts })[1];
}

/** A run whose steps are texts already, as `canonicalStep` gives them; it has none beside. */
export class RunInTexts {
  readonly run: Run;
  readonly stepTexts: Iterable<string>;

  constructor(run: Run, stepTexts: Iterable<string>) {
    this.run = run;
    this.stepTexts = stepTexts;
  }
}

/** The list of runs as it stands in the first file, text by text; returns the parts with the others. */
export function* runsInParts(
  runs: Iterable<Run | RunInTexts>,
  { sessionId, writePart, mostBytes = PART_BYTES, replace }: DocumentPartsOptions,
): FileTexts<Part[]> {
  const source = createSource(runs, replace);
  yield* listOfFile(source, mostBytes);
  const parts: Part[] = [];
  while (source.next !== undefined) {
    const part = parts.length + 1;
    const told = { runs: 0, steps: 0 };
    const written = writePart(part, partText(source, { sessionId, part, mostBytes, told }));
    parts.push({ ...written, ...told });
  }
  return parts;
}

function* partText(
  source: Source,
  options: {
    readonly sessionId: string;
    readonly part: number;
    readonly mostBytes: number;
    readonly told: { runs: number; steps: number };
  },
): FileTexts<void> {
  const { sessionId, part, mostBytes, told } = options;
  const continues = source.next?.isStep === true;
  const head: PartOfSession = {
    schema_version: SCHEMA_VERSION,
    session_id: sessionId,
    part,
    ...(continues && { continues }),
    conversations: [],
  };
  const text = toIndentedJson(head);
  yield text.slice(0, text.lastIndexOf("[]"));
  Object.assign(told, yield* listOfFile(source, mostBytes));
  yield "\n}\n";
}

/** A step, or all of a run but its steps, which come next. */
interface Piece {
  readonly isStep: boolean;
  readonly text: string;
  /** Of a run: what stands behind its steps. */
  readonly behind: string;
  /** Of the run. */
  readonly id: string;
}

/** What is still to be written. */
interface Source {
  readonly next: Piece | undefined;
  advance(): void;
}

function createSource(
  runs: Iterable<Run | RunInTexts>,
  replace: ReplaceContent | undefined,
): Source {
  const pieces = piecesOf(runs, replace);
  let next: Piece | undefined = pieces.next().value ?? undefined;
  return {
    get next() {
      return next;
    },
    advance() {
      next = pieces.next().value ?? undefined;
    },
  };
}

function* piecesOf(
  runs: Iterable<Run | RunInTexts>,
  replace: ReplaceContent | undefined,
): Generator<Piece, undefined> {
  for (const told of runs) {
    const run = told instanceof RunInTexts ? told.run : told;
    const id = run.conversation_id;
    const [text, behind] = aroundSteps(run, replace);
    yield { isStep: false, text, behind, id };
    const texts = told instanceof RunInTexts ? told.stepTexts : textsOf(run, replace);
    for (const step of texts) yield { isStep: true, text: step, behind, id };
  }
  return undefined;
}

function* textsOf({ steps }: Run, replace: ReplaceContent | undefined): Generator<string> {
  for (const step of steps) yield canonicalStep(step, replace);
}

/** Bytes that a UTF-16 code unit takes at most in UTF-8. */
const MOST_BYTES_A_CHARACTER = 3;
/** More than the brackets and line breaks around a run and its steps take. */
const AROUND_BYTES = 64;

/** As many pieces as one file holds, as a list of runs: at least one, unless there is none. */
function* listOfFile(
  source: Source,
  mostBytes: number,
): FileTexts<{ readonly runs: number; readonly steps: number }> {
  let [bytes, runs, steps] = [0, 0, 0];
  /** Of the run that is being written: its steps here, and what stands behind them. */
  let stepsOfRun = 0;
  let behind = "";
  const endOfRun = (): string => `${stepsOfRun === 0 ? "]" : `${RUN_BREAK}  ]`}${behind}`;

  for (let piece = source.next; piece !== undefined; piece = source.next) {
    const { isStep, text } = piece;
    bytes += AROUND_BYTES;
    if (runs > 0 && !isWithin(mostBytes - bytes, isStep ? text : text + piece.behind)) break;
    if (isStep) {
      if (runs === 0) {
        [behind, runs] = [`${RUN_BREAK}}`, 1];
        yield `[${RUN_BREAK}${openRun(piece.id)}`;
      }
      // Apart from the text, or all of it would be copied once more.
      yield stepsOfRun++ === 0 ? STEP_BREAK : `,${STEP_BREAK}`;
      bytes += (yield text) ?? Buffer.byteLength(text);
      steps++;
    } else {
      yield `${runs === 0 ? "[" : `${endOfRun()},`}${RUN_BREAK}${text}[`;
      bytes += Buffer.byteLength(text + piece.behind);
      [behind, stepsOfRun] = [piece.behind, 0];
      runs++;
    }
    source.advance();
  }
  yield runs === 0 ? "[]" : `${endOfRun()}\n  ]`;
  return { runs, steps };
}

/** Whether a text takes so many bytes at most: measured only where that is not plain. */
function isWithin(bytes: number, text: string): boolean {
  return text.length * MOST_BYTES_A_CHARACTER <= bytes || Buffer.byteLength(text) <= bytes;
}

/** A run that goes on. */
function openRun(id: string): string {
  return `{${RUN_BREAK}  "conversation_id": ${toJson(id)},${RUN_BREAK}  "steps": [`;
}

/** The session of which these are the first file and the parts in order. The values are shared. */
export function joinedSession(
  { parts: _, ...first }: Session,
  parts: readonly Pick<PartOfSession, "continues" | "conversations">[],
): Session {
  const conversations = [...first.conversations];
  for (const { continues = false, conversations: more } of parts) {
    const [run, ...others] = more;
    const last = conversations.at(-1);
    if (!continues || run === undefined || last === undefined) {
      for (const run of more) conversations.push(run);
      continue;
    }
    const steps = last.steps.concat(run.steps);
    conversations[conversations.length - 1] = { ...last, steps };
    for (const run of others) conversations.push(run);
  }
  return { ...first, conversations };
}
