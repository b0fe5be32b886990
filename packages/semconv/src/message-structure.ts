/**
 * What `thoughtflow.messages` holds, as JSON: the messages of a model call without their text. Messages that an
 * earlier call of the session already showed are only counted.
 */
export interface MessageStructure {
  /** Span id of the call whose messages (input, then output) this call's input begins with. */
  readonly continues?: string;
  /** How many leading messages of this call's input are that call's messages; 0 or absent without `continues`. */
  readonly known?: number;
  /** The input messages after the known ones. */
  readonly input: readonly StructuredMessage[];
  /** The answer: one message for each choice. */
  readonly output: readonly StructuredMessage[];
}

/** A message without its text. */
export interface StructuredMessage {
  readonly role: string;
  readonly parts: readonly StructuredPart[];
}

/** A part of a message without its text. */
export interface StructuredPart {
  readonly type: string;
  /** Tool call id. */
  readonly id?: string;
  /** Tool name. */
  readonly name?: string;
  /** UTF-16 code units of the part's text, or of its JSON. */
  readonly length?: number;
}
