import { createAgentSession } from "../conversation/agent-session.ts";
import { type EarlierImports, type EarlierSession, NOTHING_EARLIER } from "../earlier-imports.ts";
import type { ImportFormat, ImportReport } from "../import-format.ts";
import { jsonLines } from "../json-lines.ts";
import { createLossCounter } from "../loss-table.ts";
import { membersOf, type PlainObject, textOf, timeOf } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import type { SourceFile } from "../source-file.ts";
import { PI_LOSSES } from "./losses.ts";
import { isPrinted, type PrintedSession, printedSessions } from "./printed-sessions.ts";
import { isOnlyPi } from "./recognise.ts";
import { entryOf, type PiEntry } from "./records.ts";
import { type AnsweredEntries, createPiSession, PI_SESSION } from "./session.ts";
import { isStreamEvent, isToldAgain } from "./stream-events.ts";

/** A session, and what its first line tells of where it comes from. */
interface PiFile {
  readonly file: SourceFile;
  /** Of the file, by which forks name it. */
  readonly name: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly ms: number;
}

/** An entry, or why a line is none. */
type ReadEntry =
  | PiEntry
  | { readonly number: number; readonly text: string; readonly problem: string };

/** Sessions of Pi, in all three versions of the format: one a file. Of sessions without a file, what was printed. */
export const pi: ImportFormat = {
  summary: "sessions of Pi: a .jsonl, or a directory of them; what `pi --mode json` printed",
  tellsNewsOnly: true,
  what: "a session of Pi",
  guessesEnds: true,
  losses: PI_LOSSES,
  takes: (name) => name.endsWith(".jsonl"),
  recognise: (value) => isOnlyPi(value) || (isStreamEvent(value) && !isToldAgain(membersOf(value))),
  async *read(files, report, _isGrowing, earlier = NOTHING_EARLIER) {
    const countLosses = createLossCounter(PI_LOSSES, report);
    const opened: PiFile[] = [];
    const printed: PrintedSession[] = [];
    for (const file of await filesOfFormat(files, pi, report)) {
      if (await isPrinted(file)) printed.push(...(await printedSessions(file, countLosses)));
      else opened.push(await open(file));
    }
    const names = new Set(opened.map(({ name }) => name));
    const answers = new Map<string, AnsweredEntries>();
    for (const { parent } of opened)
      if (parent !== undefined && names.has(parent)) answers.set(parent, new Map());
    const embeddings = createEmbeddings(new Set(opened.map(({ id }) => id)), earlier);
    // What another one was forked from comes before that.
    for (const one of opened.toSorted((a, b) => a.ms - b.ms)) {
      const { file, name, id, parent } = one;
      const isTied = parent !== undefined && names.has(parent);
      if (parent !== undefined && !isTied)
        report.lost(
          "tie of a fork to a session that is not here",
          "import both at once to have it",
        );
      const isCopy =
        parent !== undefined && !isTied && file.isGrowing !== true && !(await hasOwn(one));
      // Nobody went on with it: it holds nothing but that one's history.
      const told = isCopy
        ? { sessionId: idIn(parent), toldBy: "copy" as const }
        : { sessionId: id };
      const session = createAgentSession({ ...PI_SESSION, ...told, report });
      const { sessionId } = told;
      const entries = createPiSession(session, {
        onAnswer: embeddings(sessionId, one.ms),
        isElsewhere: (spanId) => earlier.isElsewhere(sessionId, spanId),
        own: answers.get(name),
        parent: answers.get(parent ?? ""),
        isHere: (path) => names.has(nameIn(path)) || earlier.has(idIn(nameIn(path))),
        isCopy,
        startMs: one.ms,
      });
      for await (const entry of entriesOf(file)) {
        if ("problem" in entry) session.unreadable(entry);
        else {
          countLosses(entry.record);
          yield* entries.take(entry);
        }
      }
      // A copy may have been made while it went on.
      if (entries.isAtWork && !isCopy) yield* session.stopped("abandoned");
      yield* session.finish();
    }
    for (const [id, parts] of withoutFile(printed, new Set(opened.map(({ id }) => id)), report)) {
      const printed = { sessionId: id, toldBy: "print-without-ids" } as const;
      const session = createAgentSession({ ...PI_SESSION, ...printed, report });
      const entries = createPiSession(session, { startMs: parts[0]?.ms ?? 0 });
      for (const { head, lines, isDone } of parts) {
        const first = entryOf(head, 0);
        if (first !== undefined) yield* entries.take(first);
        for (const line of lines)
          if ("problem" in line) session.unreadable(line);
          else yield* entries.take(line);
        if (!isDone) yield* session.stopped("abandoned");
      }
      yield* session.finish();
    }
    // A generator that is done still holds its variables while what it gave is made into files.
    answers.clear();
  },
};

/**
 * Finds what sessions that were imported before tell of a session whose program was asked for by one of them: its own file tells that
 * now.
 *
 * @param now The sessions that are told now.
 * @returns hears the ids of its answers.
 */
function createEmbeddings(now: ReadonlySet<string>, earlier: EarlierImports) {
  let others: readonly EarlierSession[] | undefined;

  function callsAround(id: string, ms: number): ReadonlyMap<string, readonly [string, string]> {
    others ??= earlier.sessionsBut(now);
    const around = others.filter(
      (other) => other.id !== id && other.began <= ms && ms <= other.ended,
    );
    return new Map(
      around.flatMap(({ id: other }) =>
        [...earlier.callsOf(other)].map(
          ({ responseId, spanId }) => [responseId, [other, spanId]] as const,
        ),
      ),
    );
  }

  return (id: string, ms: number): ((responseId: string) => void) => {
    let calls: ReturnType<typeof callsAround> | undefined;
    return (responseId) => {
      calls ??= callsAround(id, ms);
      const there = calls.get(responseId);
      if (there !== undefined) earlier.isElsewhere(...there);
    };
  };
}

/** The sessions of which nothing but what was printed is here, each with all that its processes told, in order. */
function withoutFile(
  printed: readonly PrintedSession[],
  files: ReadonlySet<string>,
  report: ImportReport,
): ReadonlyMap<string, readonly PrintedSession[]> {
  const sessions = new Map<string, PrintedSession[]>();
  for (const one of printed.toSorted((a, b) => a.ms - b.ms)) {
    if (files.has(one.id)) report.lost("stream of a session", "its file is here, and tells more");
    else sessions.set(one.id, [...(sessions.get(one.id) ?? []), one]);
  }
  return sessions;
}

async function* entriesOf(file: SourceFile): AsyncGenerator<ReadEntry> {
  for await (const line of jsonLines(file)) {
    if ("problem" in line) yield line;
    else yield entryOf(line.record, line.number) ?? { ...line, problem: "it has no type" };
  }
}

/** Whether somebody went on with a fork. */
async function hasOwn({ file, ms }: PiFile): Promise<boolean> {
  for await (const entry of entriesOf(file))
    if ("record" in entry && entry.type === "message" && (entry.ms ?? ms) >= ms) return true;
  return false;
}

/** As the first line says, which may stand behind a title; else the session is named after the file. */
async function open(file: SourceFile): Promise<PiFile> {
  const name = nameIn(file.name);
  for await (const line of jsonLines(file)) {
    const record: PlainObject = "record" in line ? line.record : {};
    const { type, id, timestamp } = record;
    if (type === "title") continue;
    if (type !== "session" || typeof id !== "string") break;
    const parent = textOf(record["parentSession"] ?? record["branchedFrom"]);
    const ms = timeOf(timestamp) ?? (await firstTimeIn(file));
    return { file, name, id, parent: parent && nameIn(parent), ms };
  }
  return { file, name, id: name, parent: undefined, ms: await firstTimeIn(file) };
}

/** Of its entries, milliseconds since 1970: what stands before is not older for having no time. */
async function firstTimeIn(file: SourceFile): Promise<number> {
  for await (const entry of entriesOf(file))
    if ("record" in entry && entry.ms !== undefined) return entry.ms;
  return 0;
}

/** Of the session in a file of this name, which begins with the time. */
function idIn(name: string): string {
  return name.replace(/^[^_]*_/, "");
}

/** Of a file's path, on whatever system; it may be compressed here and not there. */
function nameIn(path: string): string {
  return path.replace(/^.*[\\/]/, "").replace(/\.jsonl(?:\.\w+)?$/, "");
}
