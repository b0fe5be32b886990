const onSpans: Readonly<Record<string, boolean>> = {
  true: true,
  "1": true,
  span: true,
  span_only: true,
  span_and_event: true,
  event: false,
  event_only: false,
  false: false,
  "0": false,
  none: false,
  no_content: false,
  "": false,
};

/**
 * Whether `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` puts messages on spans. Knows the spellings of
 * the Python and JavaScript instrumentations, old and new, in any case.
 *
 * @returns undefined for a word that none of them knows; content must then stay off
 */
export function messageContentOnSpans(value: string): boolean | undefined {
  const word = value.trim().toLowerCase();
  return Object.hasOwn(onSpans, word) ? onSpans[word] : undefined;
}
