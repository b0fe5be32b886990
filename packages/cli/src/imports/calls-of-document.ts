import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileNameOf } from "@thoughtflow/journal";
import type { PassingRecords } from "@thoughtflow/processor/records";
import { listOf, membersOf, textOf } from "./plain-values.ts";

/** The calls of models that a session has, by their span ids: the traces in which they stand. */
export type KnownCalls = ReadonlyMap<string, ReadonlySet<string>>;

/** Longer documents are not looked at: they would have to be read as a whole. */
const MOST_BYTES = 32 * 2 ** 20;

export const NO_CALLS: KnownCalls = new Map();

/** The same calls, to be known wherever they are told. */
export function inAnyTrace(calls: KnownCalls): KnownCalls {
  return new Map([...calls.keys()].map((spanId) => [spanId, new Set()]));
}

/** Without those that were told while files grew. */
export function callsBut(passing: PassingRecords, calls: KnownCalls): KnownCalls {
  const stay = [...calls].map(([spanId, traces]): [string, ReadonlySet<string>] => [
    spanId,
    new Set([...traces].filter((traceId) => !passing.hasCall(traceId, spanId))),
  ]);
  return new Map(stay.filter(([, traces]) => traces.size > 0));
}

/** Those that the document of a flow directory has; none where there is no such document. */
export async function callsOfDocument(dir: string, sessionId: string): Promise<KnownCalls> {
  const path = join(dir, `${fileNameOf(sessionId)}.json`);
  try {
    if ((await stat(path)).size > MOST_BYTES) return NO_CALLS;
    return callsIn(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return NO_CALLS;
  }
}

function callsIn(session: unknown): KnownCalls {
  const calls = new Map<string, Set<string>>();
  const runs = listOf(membersOf(session)["conversations"]).map(membersOf);
  for (const step of runs.flatMap(({ steps }) => listOf(steps).map(membersOf))) {
    const [traceId, spanId] = [textOf(step["trace_id"]), textOf(step["span_id"])];
    // Of one that is open its tokens are not known yet.
    if (step["status"] === "running") continue;
    if (step["label"] !== "assistant_call" || traceId === undefined || spanId === undefined)
      continue;
    calls.set(spanId, (calls.get(spanId) ?? new Set()).add(traceId));
  }
  return calls;
}
