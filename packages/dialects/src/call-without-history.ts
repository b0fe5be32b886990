import type { GenAiMessage } from "@thoughtflow/semconv";
import type { Dialect } from "./dialect.ts";
import { failureInBody } from "./openai-failure.ts";
import { textOf } from "./unknown-values.ts";

/** What APIs that have neither instructions nor tools nor streams leave open in a dialect. */
export const CALL_WITHOUT_HISTORY: Pick<
  Dialect,
  "messageOf" | "systemInstructions" | "toolDefinitions" | "failureOf" | "createFold"
> = {
  messageOf: (item) => item as GenAiMessage,
  systemInstructions: () => [],
  toolDefinitions: () => [],
  failureOf: failureInBody,
  createFold: () => ({ add: () => {}, response: () => undefined }),
};

/** A message that is one text; `undefined` when there is none. */
export function textMessage(role: string, value: unknown): GenAiMessage | undefined {
  const content = textOf(value);
  return content === undefined ? undefined : { role, parts: [{ type: "text", content }] };
}
