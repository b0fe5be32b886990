/** Where something stands in a text: UTF-16 code units, the end exclusive; never inside a surrogate pair. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A message of the prompt, as a stretch of it. */
export interface MakeupMessage extends TextRange {
  /** `system` stands for what an API takes apart from the history (`instructions`), too. */
  readonly role: string;
}

/** A piece of the prompt, with its place; one beside the prompt has a value and no place. */
export interface MakeupPart extends Partial<TextRange> {
  /** `channel_preamble`, `personality` …; `unattributed`: nobody said what it is. */
  readonly type: string;
  readonly id?: string;
  readonly version?: string;
  /** 16 hex digits of the SHA-256 of the piece's text as it stands in the prompt. */
  readonly hash: string;
  readonly value?: string;
}

/**
 * `thoughtflow.prompt`: the prompt of a model call, which is its instructions and what was said last, and the parts in
 * the order of their places. What no part covers is a composition's separator or the line break between two messages.
 */
export interface PromptMakeup {
  readonly final_prompt: string;
  readonly messages: readonly MakeupMessage[];
  readonly parts: readonly MakeupPart[];
}
