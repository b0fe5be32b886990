import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";

/** What of a span tells which telling of it stands: of a run there may be hundreds of thousands. */
export interface ToldSpan
  extends Pick<SpanRecord, "type" | "traceId" | "spanId" | "startTimeUnixNano" | "attributes"> {
  readonly parentSpanId?: string | undefined;
  readonly endTimeUnixNano?: string | undefined;
}

/** How far an agent's part of a run was told. */
interface ToldPart {
  /** When the last of its spans began, nanoseconds since 1970. */
  lastStart: bigint;
  /** When the last one ended; of what is still going on that may be a guess. */
  lastEnd: bigint;
  hasCalls: boolean;
}

/** How much of a run was told. */
export interface ToldRun {
  /** By the agent's id; `undefined` is what names none. */
  readonly parts: Map<unknown, ToldPart>;
  /** Whose run it is, once that was told; `undefined` where nobody was named. */
  readonly owners: Set<unknown>;
}

/** One of which nothing was told so far. */
export function untoldRun(): ToldRun {
  return { parts: new Map(), owners: new Set() };
}

export function tell(run: ToldRun, record: ToldSpan): void {
  const { startTimeUnixNano, endTimeUnixNano = "0", attributes } = record;
  const agent = agentOf(record);
  own(run, record);
  const part = run.parts.get(agent) ?? untoldPart();
  run.parts.set(agent, part);
  part.lastStart = later(part.lastStart, BigInt(startTimeUnixNano));
  part.lastEnd = later(part.lastEnd, BigInt(endTimeUnixNano));
  part.hasCalls ||= isCall({ attributes });
}

/** Of a model. */
export function isCall({ attributes }: Pick<SpanRecord, "attributes">): boolean {
  return attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_CHAT;
}

export function hasCalls({ parts }: ToldRun): boolean {
  return [...parts.values()].some((part) => part.hasCalls);
}

/** Takes note of whose run it is, if the span tells it. */
export function own(run: ToldRun, record: ToldSpan): void {
  if (record.parentSpanId === undefined) run.owners.add(agentOf(record));
}

/** What became of a span as it was told before, in the telling of now; moved into another run, say. */
export type Retelling = "same" | "otherwise" | "moved" | "missing";

/** Which of two tellings of a run stands. */
export interface RivalTellings {
  /**
   * Whether the telling of now takes the place of a span as it was told before: told otherwise, or missing of an agent whose calls
   * are told, or of the run itself, or told in another run. Not, but for those, of an agent of whom less is told now, as an older copy of a file tells it, and of no one
   * where an agent is lacking, as without the agent's file.
   */
  isSuperseded(record: ToldSpan, retelling: Retelling): boolean;
  /** Whether of the agent of a span that is told otherwise now less is told: what was told before stays. */
  isFromOlder(record: ToldSpan): boolean;
}

export function rivalTellings(now: ToldRun, before: ToldRun): RivalTellings {
  /** An agent's id may rest on what was not known yet. */
  const owners = new Set([undefined, ...before.owners, ...now.owners]);
  const [own, ownBefore] = [partOf(now, owners), partOf(before, owners)];
  const isLacking = [...before.parts].some(
    ([agent, { hasCalls }]) =>
      hasCalls && !owners.has(agent) && now.parts.get(agent)?.hasCalls !== true,
  );

  function isOlder(agent: unknown): boolean {
    if (owners.has(agent)) return isShorter(own, ownBefore);
    const [one, other] = [now, before].map(({ parts }) => parts.get(agent) ?? untoldPart());
    return one !== undefined && other !== undefined && isShorter(one, other);
  }

  return {
    isSuperseded(record, retelling) {
      const agent = agentOf(record);
      if (retelling === "moved") return true;
      if (retelling === "same" || isLacking || isOlder(agent)) return false;
      if (retelling === "otherwise") return true;
      return owners.has(agent) ? now.owners.size > 0 : now.parts.get(agent)?.hasCalls === true;
    },
    isFromOlder: (record) => !isLacking && isOlder(agentOf(record)),
  };
}

function untoldPart(): ToldPart {
  return { lastStart: 0n, lastEnd: 0n, hasCalls: false };
}

/** What was told of these agents together. */
function partOf({ parts }: ToldRun, agents: ReadonlySet<unknown>): ToldPart {
  const all = untoldPart();
  for (const agent of agents) {
    const { lastStart, lastEnd, hasCalls } = parts.get(agent) ?? untoldPart();
    all.lastStart = later(all.lastStart, lastStart);
    all.lastEnd = later(all.lastEnd, lastEnd);
    all.hasCalls ||= hasCalls;
  }
  return all;
}

/** Whether one telling ends sooner than the other. */
function isShorter(one: ToldPart, other: ToldPart): boolean {
  return (
    one.lastStart < other.lastStart ||
    (one.lastStart === other.lastStart && one.lastEnd < other.lastEnd)
  );
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function agentOf({ attributes }: ToldSpan): unknown {
  return attributes[ATTR_GEN_AI_AGENT_ID];
}
