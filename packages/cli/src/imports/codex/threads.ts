import { basename } from "node:path";
import { membersOf, timeOf } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";
import { rolloutLines } from "./bare-lines.ts";
import { metaOf, type RolloutMeta } from "./records.ts";
import type { Stream } from "./streams.ts";

const FIRST_LINES = 20;

/** A file of a thread: newer versions begin another one whenever the thread is taken up again. */
export interface Rollout {
  readonly file: SourceFile;
  /** The thread's id; of a later file its own. */
  readonly id: string;
}

/** A thread as its first lines tell it. */
export interface Thread {
  /** In order. */
  readonly rollouts: readonly Rollout[];
  /** What was printed of it, in order, where it has no rollout. Default: nothing. */
  readonly streams?: readonly Stream[];
  readonly id: string;
  readonly meta: RolloutMeta | undefined;
  /** `meta` where its own first line can't be read: what is known without it. */
  readonly head: RolloutMeta | undefined;
  readonly ms: number;
}

/** What a file's first lines tell. */
export async function openThread(file: SourceFile): Promise<Thread> {
  const own = basename(file.name).replace(/\.jsonl?$/, "");
  let isDamaged = false;
  for await (const line of rolloutLines(file)) {
    if (line.number > FIRST_LINES) break;
    isDamaged ||= "problem" in line;
    if ("problem" in line || line.record["type"] !== "session_meta") continue;
    const told = metaOf(membersOf(line.record["payload"]));
    // A fork's second line is a copy of the first line of the thread that it was made of; its file is named after its id.
    const isHeadless = isDamaged && told.id !== undefined && !own.includes(told.id);
    const id = isHeadless ? idIn(own) : (told.id ?? own);
    const head = isHeadless ? metaOf({ id, forked_from_id: told.id }) : undefined;
    const ms = timeOf(line.record["timestamp"]) ?? 0;
    return { rollouts: [{ file, id }], id, meta: head ?? told, head, ms };
  }
  return { rollouts: [{ file, id: own }], id: own, meta: undefined, head: undefined, ms: 0 };
}

/** Of a file's name, the time before it left out. */
function idIn(name: string): string {
  return name.replace(/^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-/, "");
}

/**
 * The threads, each with the files that go on from its first one. A copy of a file is another thread with its id: what it tells is
 * known by then.
 */
export function withLaterFiles(threads: readonly Thread[]): readonly Thread[] {
  const byId = new Map<string, Thread[]>();
  for (const thread of threads) {
    const others = byId.get(thread.id);
    if (others === undefined) byId.set(thread.id, [thread]);
    else others.push(thread);
  }
  return [...byId.values()].flatMap((group) => (group.length === 1 ? group : joined(group)));
}

function joined(group: readonly Thread[]): readonly Thread[] {
  const inOrder = group.toSorted((a, b) => a.ms - b.ms);
  const first = inOrder.find(({ meta }) => meta?.base === undefined) ?? inOrder[0];
  if (first === undefined) return group;
  const later = new Map<string, Rollout>();
  const copies: Thread[] = [];
  for (const thread of inOrder) {
    const [rollout] = thread.rollouts;
    const name = nameOf(rollout);
    if (thread === first || rollout === undefined) continue;
    if (thread.meta?.base === undefined || name === nameOf(first.rollouts[0])) copies.push(thread);
    else if (!later.has(name)) later.set(name, { ...rollout, id: laterIdIn(name) });
  }
  return [{ ...first, rollouts: [...first.rollouts, ...later.values()] }, ...copies];
}

function nameOf(rollout: Rollout | undefined): string {
  return basename(rollout?.file.name ?? "").replace(/\.jsonl?$/, "");
}

/** Of the name of a later file: `rollout-…-<thread>_<rollout>`. */
function laterIdIn(name: string): string {
  return /_([^_]+)$/.exec(name)?.[1] ?? name;
}
