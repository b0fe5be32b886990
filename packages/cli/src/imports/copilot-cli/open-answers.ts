import type { GenAiPart } from "@thoughtflow/semconv";
import type { CallSetting } from "../conversation/conversation.ts";
import { type PlainObject, textOf } from "../plain-values.ts";
import type { ToldUsage } from "./records.ts";

/** An answer of which more may come: further messages of the same call, and what it took. */
export interface OpenAnswer {
  readonly key: string;
  readonly order: number;
  /** When the last message of it came. */
  ms: number;
  /** What the last message of it says beside its parts. */
  data: PlainObject;
  readonly parts: GenAiPart[];
  /** The turn that it is of; absent where nobody tells. */
  readonly turn: string | undefined;
  usage?: ToldUsage | undefined;
}

/** What is known of an agent, the main one or another, between its answers. */
export interface Talk {
  model?: string | undefined;
  level?: string | undefined;
  setting?: CallSetting | undefined;
  /** Of the turn that is open. */
  turn?: { readonly id: string | undefined; readonly ms: number } | undefined;
  open?: OpenAnswer | undefined;
  /** What a call took of which the answer has not come. */
  usage?: ToldUsage | undefined;
  /** Thoughts that came in an event of their own. */
  reasoning?: string | undefined;
  /** What a sub-agent was asked, until it is said. */
  prompt?: string | undefined;
  /** Something was said or given that no call has answered. */
  isWaiting?: boolean;
}

/** Whether a message is of the same call as the one before it. */
export function isSameCall(
  { data, turn }: OpenAnswer,
  next: PlainObject,
  nextTurn?: string,
): boolean {
  const [before, after] = [textOf(data["apiCallId"]), textOf(next["apiCallId"])];
  if (before !== undefined && after !== undefined) return before === after;
  return turn !== undefined && turn === nextTurn;
}

/** Whether what is told of a call may be told of the one that gave a message. */
export function isUsageOf({ callId }: ToldUsage, data: PlainObject): boolean {
  const id = textOf(data["apiCallId"]);
  return callId === undefined || id === undefined || callId === id;
}
