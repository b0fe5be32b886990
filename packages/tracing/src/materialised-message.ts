import type { GenAiMessage } from "@thoughtflow/semconv";

/** A message of a model call with its text. */
export interface MaterialisedMessage {
  /** As the provider's object says it, not redacted: to compare with, never to write. The same object every time. */
  readonly message: GenAiMessage;
  /** Redacted JSON: what files and spans hold. */
  readonly json: string;
}
