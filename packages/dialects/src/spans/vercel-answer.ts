import type { GenAiPart } from "@thoughtflow/semconv";
import { ATTR_GEN_AI_OUTPUT_MESSAGES, OPERATION_CHAT } from "@thoughtflow/semconv";
import { itemsOf, propertiesOf } from "../unknown-values.ts";
import { toolCall } from "./any-part.ts";
import type { SpanRow } from "./span-dialect.ts";
import type { SpanView } from "./span-view.ts";

const TEXT = ["ai.response.text", "ai.result.text"] as const;
const OBJECT = ["ai.response.object", "ai.result.object"] as const;
const CALLS = ["ai.response.toolCalls", "ai.result.toolCalls"] as const;
const REASONING = "ai.response.reasoning";

/** The answer, whose text, reasoning, object and tool calls are attributes of their own. */
export const vercelAnswer: SpanRow = {
  to: ATTR_GEN_AI_OUTPUT_MESSAGES,
  from: [REASONING, ...TEXT, ...OBJECT, ...CALLS],
  as: "one message of all of them",
  when: [OPERATION_CHAT],
  read(span) {
    const reasoning = span.text(REASONING);
    const text = firstText(span, TEXT) ?? firstText(span, OBJECT);
    const calls = CALLS.flatMap((name) => itemsOf(span.value(name)));
    const parts: GenAiPart[] = [
      ...(reasoning === undefined ? [] : [{ type: "reasoning", content: reasoning }]),
      ...(text === undefined ? [] : [{ type: "text", content: text }]),
      ...calls.flatMap((call) => toolCall(propertiesOf(call)) ?? []),
    ];
    return parts.length > 0 ? JSON.stringify([{ role: "assistant", parts }]) : undefined;
  },
};

function firstText(span: SpanView, names: readonly string[]): string | undefined {
  return names.map((name) => span.text(name)).find((text) => text !== undefined);
}
