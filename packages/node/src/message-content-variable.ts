/** Where messages may stand besides the files. */
export interface MessageContent {
  readonly onSpans: boolean;
  readonly inLogs: boolean;
}

const NOWHERE: MessageContent = { onSpans: false, inLogs: false };
const ON_SPANS: MessageContent = { onSpans: true, inLogs: false };
const IN_LOGS: MessageContent = { onSpans: false, inLogs: true };

const places: Readonly<Record<string, MessageContent>> = {
  true: ON_SPANS,
  "1": ON_SPANS,
  span: ON_SPANS,
  span_only: ON_SPANS,
  span_and_event: { onSpans: true, inLogs: true },
  event: IN_LOGS,
  event_only: IN_LOGS,
  false: NOWHERE,
  "0": NOWHERE,
  none: NOWHERE,
  no_content: NOWHERE,
  "": NOWHERE,
};

/**
 * Where `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` puts messages. Knows the spellings of the Python and
 * JavaScript instrumentations, old and new, in any case.
 *
 * @returns undefined for a word that none of them knows; content must then stay off
 */
export function messageContentFrom(value: string): MessageContent | undefined {
  const word = value.trim().toLowerCase();
  return Object.hasOwn(places, word) ? places[word] : undefined;
}
