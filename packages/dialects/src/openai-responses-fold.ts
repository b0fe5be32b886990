import type { StreamFold } from "./dialect.ts";
import { mayTellWhole } from "./tool-call-part.ts";
import { itemsOf, numberOf, propertiesOf, textOf } from "./unknown-values.ts";

type Properties = Readonly<Record<string, unknown>>;

/** An output item as it grows: the item that was announced, and its texts by field and number of the part. */
interface ItemState {
  item: Properties;
  readonly texts: Map<string, TextState>;
  /** The same text as the last delta's, found again without building its key. */
  last: TextState | undefined;
}

interface TextState {
  readonly field: "content" | "summary" | "arguments" | "input" | "code";
  readonly index: number;
  readonly type: string;
  text: string;
}

/** Which field of an item a delta event extends, and the type of the part where the field is a list. */
const DELTAS: ReadonlyMap<string, readonly [TextState["field"], string]> = new Map([
  ["response.output_text.delta", ["content", "output_text"]],
  ["response.refusal.delta", ["content", "refusal"]],
  ["response.reasoning_text.delta", ["content", "reasoning_text"]],
  ["response.reasoning_summary_text.delta", ["summary", "summary_text"]],
  ["response.function_call_arguments.delta", ["arguments", ""]],
  ["response.mcp_call_arguments.delta", ["arguments", ""]],
  ["response.custom_tool_call_input.delta", ["input", ""]],
  ["response.code_interpreter_call_code.delta", ["code", ""]],
]);

/** Items by which a model asks for a tool of the program. */
const CALLS: ReadonlySet<unknown> = new Set(["function_call", "custom_tool_call"]);

/**
 * Folds Responses events. The response of the last `response.completed`, `.incomplete` or `.failed` is the
 * answer; when the stream ends earlier, it is built from the items as far as they came.
 */
export function createResponsesFold(onToolCall?: () => void): StreamFold {
  let head: Properties = {};
  let final: Properties | undefined;
  let failure: Properties | undefined;
  const items = new Map<number, ItemState>();

  function itemAt(event: Properties): ItemState {
    const index = numberOf(event["output_index"]) ?? 0;
    let state = items.get(index);
    if (state === undefined) {
      state = { item: {}, texts: new Map(), last: undefined };
      items.set(index, state);
    }
    return state;
  }

  function add(value: unknown): void {
    const event = propertiesOf(value);
    const type = event["type"];
    if (typeof type !== "string") return;
    const delta = DELTAS.get(type);
    if (delta !== undefined) {
      const state = itemAt(event);
      extend(state, delta, event);
      const isClosed = delta[0] === "arguments" && textOf(event["delta"])?.endsWith("}");
      if (isClosed && mayTellWhole(state.last?.text ?? "")) onToolCall?.();
      return;
    }
    switch (type) {
      case "response.custom_tool_call_input.done":
        onToolCall?.();
        return;
      case "response.output_item.added": {
        const { item } = Object.assign(itemAt(event), { item: propertiesOf(event["item"]) });
        if (CALLS.has(item["type"])) onToolCall?.();
        return;
      }
      case "response.output_item.done": {
        const state = itemAt(event);
        state.item = propertiesOf(event["item"]);
        state.texts.clear();
        state.last = undefined;
        if (CALLS.has(state.item["type"])) onToolCall?.();
        return;
      }
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        // Some servers leave the status to the name of the event.
        final = { status: type.slice("response.".length), ...propertiesOf(event["response"]) };
        return;
      case "error":
        failure = "error" in event ? propertiesOf(event["error"]) : event;
        return;
      default:
        if (event["response"]) head = propertiesOf(event["response"]);
    }
  }

  function response(): unknown {
    // A socket of a live session leaves the items out of the response that they make.
    if (final !== undefined && (items.size === 0 || itemsOf(final["output"]).length > 0)) {
      return final;
    }
    const output = [...items]
      .sort(([left], [right]) => left - right)
      .map(([, state]) => itemFrom(state));
    if (final !== undefined) return { ...final, output };
    const { code, message } = failure ?? {};
    return {
      ...head,
      ...(output.length > 0 ? { output } : {}),
      ...(failure === undefined ? {} : { status: "failed", error: { code, message } }),
    };
  }

  return { add, response };
}

function extend(
  state: ItemState,
  [field, type]: readonly [TextState["field"], string],
  event: Properties,
): void {
  const { delta } = event;
  if (typeof delta !== "string") return;
  const index = numberOf(event["content_index"] ?? event["summary_index"]) ?? 0;
  let text = state.last;
  if (text === undefined || text.field !== field || text.index !== index) {
    const key = `${field} ${index}`;
    text = state.texts.get(key);
    if (text === undefined) {
      text = { field, index, type, text: "" };
      state.texts.set(key, text);
    }
    state.last = text;
  }
  text.text += delta;
}

function itemFrom({ item, texts }: ItemState): Properties {
  const grown: Record<string, unknown> = { ...item };
  for (const { field, index, type, text } of texts.values()) {
    if (field !== "content" && field !== "summary") {
      grown[field] = text;
      continue;
    }
    const parts = [...itemsOf(grown[field])];
    parts[index] = { type, [type === "refusal" ? "refusal" : "text"]: text };
    grown[field] = parts.filter((part) => part !== undefined);
  }
  return grown;
}
