import { checkArgument } from "./checks.ts";
import type { Dependency } from "./dependency.ts";
import type { StepHandle } from "./handles.ts";
import { recordStep } from "./step.ts";

/** What a message may say besides its text. */
export interface MessageOptions {
  /** Unique inside the run; default `s_<span id>`. */
  readonly id?: string;
  readonly dependsOn?: Dependency | readonly Dependency[];
  /** The message's parts, where it is more than text. */
  readonly content?: unknown;
}

/**
 * Records what the user said. Inside an open run a second message, such as a confirmation, belongs to that run.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function userMessage(text: string, options: MessageOptions = {}): StepHandle {
  checkArgument("userMessage", "text", "string", text);
  const { content, ...rest } = options;
  return recordStep({ ...rest, label: "user_message", input: { text, content } });
}

/**
 * Records what the assistant answered.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function assistantMessage(text: string, options: MessageOptions = {}): StepHandle {
  checkArgument("assistantMessage", "text", "string", text);
  const { content, ...rest } = options;
  return recordStep({ ...rest, label: "assistant_message", output: { text, content } });
}
