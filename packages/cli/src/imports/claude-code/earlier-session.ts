import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_THOUGHTFLOW_SESSION_TITLE, SPAN_SESSION } from "@thoughtflow/semconv";
import {
  type ConversationSource,
  createConversationSpans,
} from "../conversation/conversation-spans.ts";

/**
 * What later sessions may ask of one. It is remembered for long, of some ten thousand sessions, and so holds nothing of what was open
 * in it.
 */
export interface EarlierSession {
  readonly id: string;
  /** When something happened in it last, milliseconds since 1970. */
  lastMs: number;
  title(text: string, order: number): SpanRecord;
}

export function createEarlierSession(source: ConversationSource, startMs: number): EarlierSession {
  return {
    id: source.sessionId,
    lastMs: startMs,
    title(text, order) {
      const time = { ms: this.lastMs, order };
      const attributes = { [ATTR_THOUGHTFLOW_SESSION_TITLE]: text };
      return createConversationSpans(source).session(SPAN_SESSION, attributes, time);
    },
  };
}
