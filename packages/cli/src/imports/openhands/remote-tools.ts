import { toText } from "@thoughtflow/semconv";
import { listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** Of an agent that OpenHands talks to over ACP: it runs its tools itself. */
const KIND = "ACPToolCallEvent";

/**
 * Reads what such agents' tools did, each told when it begins and whole when it is over, as calls and results in the words of other
 * events. Which answers of a model asked for them nobody tells.
 *
 * @param events All of them.
 * @returns what to make of an event; `undefined` of other ones.
 */
export function createRemoteTools(
  events: readonly PlainObject[],
): (event: PlainObject) => readonly PlainObject[] | undefined {
  const whole = new Map(
    events.filter(({ kind }) => kind === KIND).map((event) => [callIdOf(event), event]),
  );
  const begun = new Set<string>();
  return (event) => {
    const { kind, id, timestamp } = event;
    if (kind !== KIND) return undefined;
    const callId = callIdOf(event);
    const about = { id, timestamp, source: "agent", callId };
    const isBegun = begun.has(callId);
    begun.add(callId);
    const answer = { parts: [callOf(whole.get(callId) ?? event)] };
    return [
      ...(isBegun ? [] : [{ ...about, action: "tool_call", answer }]),
      ...(isOver(event) ? [{ ...about, observation: "result", ...resultOf(event) }] : []),
    ];
  };
}

function callIdOf({ tool_call_id: id }: PlainObject): string {
  return toText(id);
}

function callOf(event: PlainObject) {
  const { tool_kind: kind, title, raw_input: input } = event;
  return {
    type: "tool_call",
    id: callIdOf(event),
    name: textOf(kind) ?? textOf(title) ?? "tool",
    arguments: input ?? { title },
  };
}

function isOver({ status }: PlainObject): boolean {
  return status === "completed" || status === "failed";
}

function resultOf({ raw_output: output, content, is_error: isError }: PlainObject): PlainObject {
  const words = listOf(content).map((block) => {
    const { content: inner, text } = membersOf(block);
    return textOf(text) ?? textOf(membersOf(inner)["text"]) ?? "";
  });
  const told =
    typeof output === "string" ? output : (output && JSON.stringify(output)) || words.join("\n");
  return { content: told, success: isError === true ? false : undefined };
}
