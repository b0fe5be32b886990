/** A piece of a prompt: `channel_preamble`, `prompt_adaptations`, `personality`, `user_instruction` … */
export interface PromptPart {
  readonly type: string;
  readonly value: string;
  /** Of the snapshot or adaptation that the piece is. */
  readonly id?: string;
  readonly version?: string;
}

/** Where a part stands in the final prompt: UTF-16 code units, the end exclusive. */
export interface PromptRange {
  /** Index in the list of parts. */
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/** How a prompt came about, in the words of the document. */
export interface PromptProvenance {
  readonly parts: readonly PromptPart[];
  readonly final_prompt: string;
  readonly assembly: readonly PromptRange[];
}

/** How `composePrompt` puts parts together. */
export interface ComposeOptions {
  /** Between two parts; default a line break. */
  readonly separator?: string;
  /** What shapes the call without standing in its text, such as `{ type: "tool_schemas_snapshot", value: "tools:3" }`. */
  readonly beside?: readonly PromptPart[];
}

/**
 * Joins the parts of a prompt and says where each of them went. The result is the `prompt_provenance` of a step
 * `assistant_call`, its `final_prompt` is what to send.
 */
export function composePrompt(
  parts: readonly PromptPart[],
  { separator = "\n", beside = [] }: ComposeOptions = {},
): PromptProvenance {
  const assembly: PromptRange[] = [];
  let start = 0;
  for (const [part, { value }] of parts.entries()) {
    const end = start + value.length;
    assembly.push({ part, start, end });
    start = end + separator.length;
  }
  const final_prompt = parts.map(({ value }) => value).join(separator);
  return { parts: [...parts, ...beside], final_prompt, assembly };
}
