import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { SpanRecord } from "@thoughtflow/schema";
import type { AgentSession } from "../conversation/agent-session.ts";
import { type JsonLine, jsonLines } from "../json-lines.ts";
import type { LossReport } from "../loss-report.ts";
import { countOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";
import { type StreamEvent, streamEvent, threadIn } from "./stream-events.ts";
import type { StreamedThread } from "./stream-session.ts";

/** What one process printed of a thread: a file, or a part of one that several wrote to. */
export interface Stream {
  readonly threadId: string;
  readonly file: SourceFile;
  /** The first of its lines, and the first that is no more of it. */
  readonly from: number;
  readonly to: number;
  /** The input tokens of all turns of the thread until its end; 0 where no turn was over. */
  readonly total: number;
  /** Of all its lines. */
  readonly digest: string;
}

/** The streams that a file holds. */
export async function streamsIn(file: SourceFile): Promise<readonly Stream[]> {
  const streams: Stream[] = [];
  const own = basename(file.name).replace(/\.\w+$/, "");
  let open = {
    threadId: own,
    file,
    from: 1,
    to: Number.POSITIVE_INFINITY,
    total: 0,
  };
  let text = createHash("sha256");
  let hasBegun = false;
  for await (const line of jsonLines(file)) {
    if ("problem" in line) continue;
    const { record, number } = line;
    const threadId = threadIn(record);
    if (threadId !== undefined && hasBegun) {
      streams.push({ ...open, to: number, digest: text.digest("base64") });
      open = { ...open, threadId, from: number, total: 0 };
      text = createHash("sha256");
    } else if (threadId !== undefined) open.threadId = threadId;
    text.update(line.text).update("\n");
    hasBegun ||= streamEvent(record, number) !== undefined;
    if (record["type"] === "turn.completed")
      open.total = countOf(membersOf(record["usage"])["input_tokens"]);
  }
  return [...streams, { ...open, digest: text.digest("base64") }];
}

/**
 * The streams of each thread in the order in which they were printed: what a turn used is told with all turns before. One in
 * which no turn was over comes after the one before it. One with the turns of another, and nothing else, is a copy of it.
 */
export function streamsByThread(
  streams: readonly Stream[],
  report: LossReport,
): ReadonlyMap<string, readonly Stream[]> {
  const threads = new Map<string, Stream[]>();
  const told = new Set<string>();
  for (const stream of streams) {
    if (stream.total > 0 && told.has(stream.digest)) {
      report.lost("stream that is told twice");
      continue;
    }
    told.add(stream.digest);
    const known = threads.get(stream.threadId) ?? [];
    const total = stream.total || (known.at(-1)?.total ?? 0);
    known.push({ ...stream, total });
    threads.set(stream.threadId, known);
  }
  for (const [id, known] of threads)
    threads.set(
      id,
      known.toSorted((a, b) => a.total - b.total),
    );
  return threads;
}

/** All that the streams of one thread tell; lines are numbered on from one to the next. */
export async function* streamSpans(
  streams: readonly Stream[],
  thread: StreamedThread,
  session: AgentSession,
  countLosses: (value: PlainObject) => void,
  report: LossReport,
): AsyncGenerator<SpanRecord> {
  let before = 0;
  for (const stream of streams) {
    let last = before;
    const isToldTwice = createDoneItems();
    for await (const line of linesOf(stream)) {
      const number = before + line.number - stream.from + 1;
      last = number;
      const event = "problem" in line ? undefined : streamEvent(line.record, number);
      if ("problem" in line) session.unreadable({ ...line, number });
      else if (event === undefined)
        session.unreadable({ ...line, number, problem: "it is no line of a rollout" });
      else if (isToldTwice(event)) report.lost("item of a stream that is told twice");
      else {
        countLosses(line.record);
        yield* thread.take(event);
      }
    }
    yield* thread.finish(stream.file.isGrowing === true && stream.to === Number.POSITIVE_INFINITY);
    before = last;
  }
}

/** Tells whether an event says again that an item is done: ids are those of one process, and those of a turn where its first line is missing. */
function createDoneItems(): (event: StreamEvent) => boolean {
  const done = new Set<string>();
  return ({ type, item }) => {
    if (type === "turn.started") done.clear();
    const id = type === "item.completed" ? textOf(item["id"]) : undefined;
    if (id === undefined) return false;
    const isAgain = done.has(id);
    done.add(id);
    return isAgain;
  };
}

async function* linesOf({ file, from, to }: Stream): AsyncGenerator<JsonLine> {
  for await (const line of jsonLines(file)) {
    if (line.number >= to) return;
    if (line.number >= from) yield line;
  }
}
