import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_THOUGHTFLOW_SESSION_TITLE, SPAN_SESSION } from "@thoughtflow/semconv";
import {
  type ConversationSource,
  createConversationSpans,
} from "../conversation/conversation-spans.ts";
import { nameOfStep } from "../record-step.ts";
import type { StepsOfRecords } from "./steps-of-records.ts";

/**
 * What later sessions may ask of one. It is remembered for long, of some ten thousand sessions, and so holds nothing of what was open
 * in it.
 */
export interface EarlierSession {
  readonly id: string;
  /** When something happened in it last, milliseconds since 1970. */
  lastMs: number;
  /** The step that a record led to, `<trace id>/<step id>`, as another session may name it. */
  stepAt(uuid: string): string | undefined;
  title(text: string, order: number): SpanRecord;
}

export function createEarlierSession(
  source: ConversationSource,
  steps: Pick<StepsOfRecords, "get">,
  startMs: number,
): EarlierSession {
  return {
    id: source.sessionId,
    lastMs: startMs,
    stepAt(uuid) {
      const step = steps.get(uuid);
      return step && nameOfStep(step);
    },
    title(text, order) {
      const time = { ms: this.lastMs, order };
      const attributes = { [ATTR_THOUGHTFLOW_SESSION_TITLE]: text };
      return createConversationSpans(source).session(SPAN_SESSION, attributes, time);
    },
  };
}
