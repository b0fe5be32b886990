/** A piece of a prompt: `channel_preamble`, `prompt_adaptations`, `personality`, `user_instruction` … */
export interface PromptPart {
  readonly type: string;
  readonly value: string;
  /** Of the snapshot or adaptations step that the piece is, or a name of the program's own. */
  readonly id?: string;
  readonly version?: string;
  /** Which message it is part of; default `user` for a `user_instruction`, else `system`. For `as: "messages"`. */
  readonly role?: PromptRole;
}

/** Who says a message: a word of the chat and responses APIs. */
export type PromptRole = "system" | "developer" | "user" | "assistant";
