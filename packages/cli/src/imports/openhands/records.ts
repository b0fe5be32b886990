import { openaiChat } from "@thoughtflow/dialects";
import type { Attributes } from "@thoughtflow/schema";
import type { GenAiPart } from "@thoughtflow/semconv";
import { countOf, isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** Something that an agent did, a person said, or the environment told. */
export interface OpenHandsEvent {
  readonly number: number;
  /** Absent in files of older versions. */
  readonly id: string | undefined;
  /** Milliseconds since 1970. */
  readonly ms: number | undefined;
  readonly source: string | undefined;
  readonly action: string | undefined;
  readonly observation: string | undefined;
  /** The event that led to this one. */
  readonly cause: string | undefined;
  readonly callId: string | undefined;
  /** What the action takes; in older versions it stands in the event itself. */
  readonly args: PlainObject;
  readonly content: string;
  readonly isError: boolean;
  readonly answer: ModelAnswer | undefined;
}

/** The answer that an action was taken from. */
export interface ModelAnswer {
  readonly id: string;
  readonly model: string | undefined;
  readonly parts: readonly GenAiPart[];
  /** Usage and finish reasons. */
  readonly attributes: Attributes;
}

/** The events of an instance in order: a list, or pairs of an action and what it led to. */
export function eventsOf(events: unknown): readonly OpenHandsEvent[] {
  return listOf(events)
    .flat()
    .flatMap((event, index) => (isObject(event) ? [eventOf(event, index + 1)] : []));
}

const ABOUT_THE_EVENT = ["action", "thought", "is_confirmed", "action_risk", "confirmation_state"];

function eventOf(event: PlainObject, number: number): OpenHandsEvent {
  const { args, tool_call_metadata: call, extras, observation, success } = event;
  const { tool_call_id: callId, model_response: response } = membersOf(call);
  const own = isObject(args) ? args : event;
  return {
    number,
    id: idOf(event["id"]),
    ms: utcOf(event["timestamp"]),
    source: textOf(event["source"]),
    action: textOf(event["action"]),
    observation: textOf(observation),
    cause: idOf(event["cause"]),
    callId: textOf(callId),
    args: own,
    content: textOf(event["content"]) ?? textOf(own["content"]) ?? textOf(event["message"]) ?? "",
    isError:
      observation === "error" ||
      success === false ||
      countOf(membersOf(extras)["exit_code"] ?? event["exit_code"]) > 0,
    answer: answerOf(membersOf(response)),
  };
}

/** What an action without a call of a tool was called with. */
export function argumentsOf({ args }: OpenHandsEvent): PlainObject {
  return Object.fromEntries(
    Object.entries(args).filter(
      ([name, value]) => !ABOUT_THE_EVENT.includes(name) && value !== null && value !== "",
    ),
  );
}

function answerOf(response: PlainObject): ModelAnswer | undefined {
  const id = textOf(response["id"]);
  if (id === undefined) return undefined;
  return {
    id,
    model: textOf(response["model"]),
    parts: openaiChat.outputMessages(response).flatMap(({ parts }) => parts),
    attributes: openaiChat.responseAttributes(response) as Attributes,
  };
}

/** Ids are numbers from 0, and -1 for none. */
function idOf(id: unknown): string | undefined {
  if (typeof id === "number") return id < 0 ? undefined : String(id);
  return textOf(id);
}

/** Times without a zone are those of a container, which has UTC. */
function utcOf(time: unknown): number | undefined {
  const text = textOf(time);
  if (text === undefined) return undefined;
  const ms = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(ms) || ms < 0 ? undefined : ms;
}

/** How long each answer took, in milliseconds, by its id. */
export function latenciesOf(instance: PlainObject): ReadonlyMap<string, number> {
  const { response_latencies: latencies } = membersOf(instance["metrics"]);
  return new Map(
    listOf(latencies).flatMap((one) => {
      const { response_id: id, latency } = membersOf(one);
      const seconds = Number(latency);
      return typeof id === "string" && seconds > 0 ? [[id, Math.round(seconds * 1000)]] : [];
    }),
  );
}
