import { composedTexts } from "./composed-texts.ts";
import type { PromptPart, PromptRole } from "./prompt-part.ts";
import { tracesPrompts } from "./prompt-readers.ts";

/** A message as `messages` of chat completions and `input` of responses take it. */
export interface PromptMessage {
  readonly role: PromptRole;
  readonly content: string;
}

/** How `composePrompt` puts parts together. */
export interface ComposeOptions {
  /** Between two parts of one text; default a line break. */
  readonly separator?: string;
  /** What shapes the call without standing in its text, such as `{ type: "tool_schemas_snapshot", value: "tools:3" }`. */
  readonly beside?: readonly PromptPart[];
  /** One text (default), or messages: neighbouring parts of one role are one message. */
  readonly as?: "text" | "messages";
}

/**
 * Joins the parts of a prompt into one text, or into messages, and remembers them: the model call that is made with
 * the text, alone or among others, says in its `prompt_provenance` which part stands where. That may be the same
 * string, an equal one, or one that the program added to. The last 256 compositions are remembered.
 *
 * Nothing is hashed or searched here; without a tracing provider nothing is remembered. Parts with an empty value
 * are left out, with their separator.
 */
export function composePrompt(
  parts: readonly PromptPart[],
  options: ComposeOptions & { readonly as: "messages" },
): PromptMessage[];
export function composePrompt(parts: readonly PromptPart[], options?: ComposeOptions): string;
export function composePrompt(
  parts: readonly PromptPart[],
  { separator = "\n", beside = [], as = "text" }: ComposeOptions = {},
): string | PromptMessage[] {
  const remember = tracesPrompts();
  const compose = (some: readonly PromptPart[]): string => {
    const text = some.map(({ value }) => value).join(separator);
    if (remember) composedTexts.add({ text, parts: some, separator, beside });
    return text;
  };
  const filled = parts.filter(({ value }) => value !== "");
  if (as === "text") return compose(filled);
  return byRole(filled).map(([role, some]) => ({ role, content: compose(some) }));
}

function byRole(parts: readonly PromptPart[]): [role: PromptRole, parts: PromptPart[]][] {
  const groups: [PromptRole, PromptPart[]][] = [];
  for (const part of parts) {
    const role = part.role ?? (part.type === "user_instruction" ? "user" : "system");
    const last = groups.at(-1);
    if (last?.[0] === role) last[1].push(part);
    else groups.push([role, [part]]);
  }
  return groups;
}
