/** A step as its span names it. */
export interface RecordStep {
  readonly traceId: string;
  readonly spanId: string;
}

/** A step as other sessions name it: `<trace id>/<step id>`. */
export function nameOfStep({ traceId, spanId }: RecordStep): string {
  return `${traceId}/s_${spanId}`;
}
