import type { Step } from "@thoughtflow/schema";
import { isToolCall } from "./workflow-calls.ts";

/** The few words that a model gave the task for which a tool call asks an agent; `undefined` where it gave none. */
export function taskDescriptionIn(step: Step): string | undefined {
  if (!isToolCall(step)) return undefined;
  const args = step.payload_started?.["args"];
  if (typeof args !== "object" || args === null) return undefined;
  const { description } = args as { readonly description?: unknown };
  return typeof description === "string" && description.trim() !== "" ? description : undefined;
}
