import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";

/** How much of a run was told. */
export interface ToldRun {
  /** When the last span of it began, milliseconds since 1970: an end may be a guess, of what is still going on. */
  latestMs: number;
  /** The agents whose model calls were told. */
  readonly callers: Set<unknown>;
  /** Whose run it is, once that was told; `undefined` where nobody was named. */
  readonly owners: Set<unknown>;
}

/** One of which nothing was told so far. */
export function untoldRun(): ToldRun {
  return { latestMs: 0, callers: new Set(), owners: new Set() };
}

export function tell(run: ToldRun, record: SpanRecord): void {
  const { startTimeUnixNano, parentSpanId } = record;
  run.latestMs = Math.max(run.latestMs, Math.trunc(Number(startTimeUnixNano) / 1e6));
  if (parentSpanId === undefined) run.owners.add(agentOf(record));
  if (isCall(record)) run.callers.add(agentOf(record));
}

/** Of a model. */
export function isCall({ attributes }: SpanRecord): boolean {
  return attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_CHAT;
}

/** What became of a span as it was told before, in the telling of now; moved into another run, say. */
export type Retelling = "same" | "otherwise" | "moved" | "missing";

/**
 * Of the spans of a run as they were told before those that what is told now takes the place of: those that moved, the same ones
 * told otherwise, and those missing of an agent whose calls are told, or of the run itself. Of a run of which less is told now none
 * but those that moved: one that ends sooner, as in an older copy of a file, or that lacks an agent, as without the agent's file.
 */
export function supersededSpans(
  before: readonly SpanRecord[],
  now: ToldRun,
  retellingOf: (record: SpanRecord) => Retelling,
): readonly SpanRecord[] {
  const retold = before.map((record) => ({ record, retelling: retellingOf(record) }));
  const moved = retold.filter(({ retelling }) => retelling === "moved");
  const stayed = retold.filter(({ retelling }) => retelling !== "moved");
  const earlier = untoldRun();
  for (const { record } of stayed) tell(earlier, record);
  /** An agent's id may rest on what was not known yet. */
  const isOwner = (agent: unknown): boolean => agent === undefined || earlier.owners.has(agent);
  const isLacking = [...earlier.callers].some((one) => !now.callers.has(one) && !isOwner(one));
  const isLess = now.latestMs < earlier.latestMs || isLacking;
  const isGone = ({ record, retelling }: (typeof retold)[number]): boolean => {
    if (retelling !== "missing") return retelling === "otherwise";
    const agent = agentOf(record);
    return now.callers.has(agent) || (now.owners.size > 0 && isOwner(agent));
  };
  return [...moved, ...(isLess ? [] : stayed.filter(isGone))].map(({ record }) => record);
}

function agentOf({ attributes }: SpanRecord): unknown {
  return attributes[ATTR_GEN_AI_AGENT_ID];
}
