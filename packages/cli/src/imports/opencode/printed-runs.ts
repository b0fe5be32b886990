import { toText } from "@thoughtflow/semconv";
import { beginsDocument, jsonLines, type UnreadableLine } from "../json-lines.ts";
import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";
import { type ExportedMessage, errorOfFlat } from "./flat-messages.ts";
import { isExport, isPrintedEvent } from "./recognise.ts";

/** What one process printed of its session, as the messages of an export. */
export interface PrintedRun {
  readonly sessionId: string;
  /** When it began. */
  readonly ms: number;
  readonly messages: readonly ExportedMessage[];
  readonly odd: readonly UnreadableLine[];
  /** Nothing was to come after what it printed last. */
  readonly isDone: boolean;
}

/** A run while its events come in. */
interface OpenRun {
  readonly sessionId: string;
  readonly ms: number;
  readonly messages: OpenMessage[];
  readonly byId: Map<string, OpenMessage>;
  readonly odd: UnreadableLine[];
  isDone: boolean;
  /** The process said that it ends: what comes next is another one's. */
  isOver: boolean;
  /** When the last of it was printed. */
  last: number;
}

interface OpenMessage {
  info: PlainObject;
  readonly parts: PlainObject[];
}

/** The runs that were printed into a file; `undefined` where the file is none of that. */
export async function printedRuns(
  file: SourceFile,
  countLosses: (value: PlainObject) => void,
): Promise<readonly PrintedRun[] | undefined> {
  if (!(await holdsEvents(file))) return undefined;
  const runs: OpenRun[] = [];
  /** By session: processes may print into one file at once. */
  const open = new Map<unknown, OpenRun>();
  let before: UnreadableLine[] = [];
  let latest: OpenRun | undefined;
  for await (const line of jsonLines(file)) {
    if ("problem" in line || !isPrintedEvent(line.record)) {
      (latest?.odd ?? before).push({ problem: "it is no event of opencode", ...line });
      continue;
    }
    const { record } = line;
    countLosses(record);
    let run = open.get(record["sessionID"]);
    if (run === undefined || run.isOver) {
      run = newRun(record, before);
      runs.push(run);
      open.set(record["sessionID"], run);
      before = [];
    }
    latest = run;
    take(run, record);
  }
  return runs.map((run) => ({
    ...run,
    messages: (file.isGrowing ? wholeOf(run.messages) : run.messages).map(inOrder),
  }));
}

/** By the first line that tells. */
async function holdsEvents(file: SourceFile): Promise<boolean> {
  for await (const line of jsonLines(file)) {
    if ("problem" in line) {
      if (beginsDocument(line.text)) return false;
      continue;
    }
    if (isPrintedEvent(line.record)) return true;
    if (isExport(line.record)) return false;
  }
  return false;
}

function newRun(event: PlainObject, odd: UnreadableLine[]): OpenRun {
  const printed = Number(event["timestamp"]);
  return {
    sessionId: toText(event["sessionID"]),
    ms: momentOfId(membersOf(event["part"])["messageID"], printed) ?? printed,
    messages: [],
    byId: new Map(),
    odd,
    isDone: false,
    isOver: false,
    last: printed,
  };
}

/** Adds what an event tells to the messages. */
function take(run: OpenRun, event: PlainObject): void {
  const ms = Number(event["timestamp"]);
  const { type, error } = event;
  if (type === "done") run.isOver = true;
  else if (type === "error") {
    const last = run.messages.at(-1);
    const failed = last !== undefined && !isWhole(last) ? last : begun(run, `error-${ms}`, ms);
    failed.info = { ...failed.info, error: printedError(membersOf(error)) };
  } else {
    const part = printedPart(membersOf(event["part"]));
    const id = textOf(part["messageID"]) ?? "";
    const message = run.byId.get(id) ?? begun(run, id, ms);
    message.parts.push(part);
    message.info = { ...message.info, time: { ...membersOf(message.info["time"]), completed: ms } };
  }
  run.isDone = type === "done" ? run.isDone : type === "error" || isLast(event);
  run.last = ms;
}

/** A tool as versions before 2.0 print it: since then its own id stands apart, and what it says of itself is nested. */
function printedPart(part: PlainObject): PlainObject {
  const { partID, id, state } = part;
  if (partID === undefined) return part;
  const { sessionID: sessionId, exit } = membersOf(
    membersOf(membersOf(state)["metadata"])["metadata"],
  );
  const metadata = { sessionId, exit };
  return { ...part, id: partID, callID: id, state: { ...membersOf(state), metadata } };
}

/** An error as those name it. */
function printedError(error: PlainObject): PlainObject {
  return error["name"] === undefined ? errorOfFlat(error) : error;
}

function begun({ messages, byId, last }: OpenRun, id: string, ms: number): OpenMessage {
  const created = momentOfId(id, ms) ?? last;
  const message = { info: { id, role: "assistant", time: { created, completed: ms } }, parts: [] };
  messages.push(message);
  byId.set(id, message);
  return message;
}

/** Whether the model has said all and asks for no tool: so its program reads why it ended. */
function isLast({ part }: PlainObject): boolean {
  const { type, reason } = membersOf(part);
  return type === "step-finish" && reason !== "tool-calls" && reason !== "unknown";
}

/** Whether all parts of a message are there. */
function isWhole({ info, parts }: OpenMessage): boolean {
  return info["error"] !== undefined || parts.at(-1)?.["type"] === "step-finish";
}

/** Of a message to which more may come nothing is known yet: its parts don't come in their order. */
function wholeOf(messages: readonly OpenMessage[]): readonly OpenMessage[] {
  return messages.filter(isWhole);
}

/** What took longest is printed last; ids tell what came first. */
function inOrder({ info, parts }: OpenMessage): ExportedMessage {
  const idOf = ({ id }: PlainObject) => textOf(id) ?? "";
  return {
    info,
    parts: parts.toSorted((a, b) => (idOf(a) === idOf(b) ? 0 : idOf(a) < idOf(b) ? -1 : 1)),
  };
}

/** So much of a moment, milliseconds, ids begin with. */
const MOMENTS = 2 ** 36;
const HOUR_MS = 3_600_000;

/**
 * When an id was made, which begins with a part of that moment.
 *
 * @param ms Of something later; what would be more than an hour before is no such id.
 */
function momentOfId(id: unknown, ms: number): number | undefined {
  const digits = /^msg_([\da-f]{9})[\da-f]{3}/.exec(textOf(id) ?? "")?.[1];
  if (digits === undefined) return undefined;
  const age = (((ms - Number.parseInt(digits, 16)) % MOMENTS) + MOMENTS) % MOMENTS;
  return age > HOUR_MS ? undefined : ms - age;
}
