/** Something for each span, by trace id and span id: no text has to be made of the two. */
export interface SpanMap<T> {
  get(traceId: string, spanId: string): T | undefined;
  set(traceId: string, spanId: string, value: T): void;
  /** Trace by trace, each in the order in which its spans came. */
  values(): readonly T[];
}

export function createSpanMap<T>(): SpanMap<T> {
  const traces = new Map<string, Map<string, T>>();
  return {
    get: (traceId, spanId) => traces.get(traceId)?.get(spanId),
    set(traceId, spanId, value) {
      const spans = traces.get(traceId);
      if (spans === undefined) traces.set(traceId, new Map([[spanId, value]]));
      else spans.set(spanId, value);
    },
    values() {
      const all: T[] = [];
      for (const spans of traces.values()) for (const value of spans.values()) all.push(value);
      return all;
    },
  };
}
