import type { SpanRecord } from "@thoughtflow/schema";

/** A span that a request holds and that can't be taken. */
export interface RejectedSpan {
  /** Which one of the request, counted from 0. */
  readonly index: number;
  /** An id that names nothing, or a span that doesn't hold together. */
  readonly code: "id" | "malformed";
  /** What is wrong with it, and the value. */
  readonly reason: string;
}

/** The spans of a request, each for itself: a broken one costs no other. */
export interface DecodedRequest {
  /** In the order of the request; those of one process share one resource. */
  readonly records: readonly SpanRecord[];
  readonly rejected: readonly RejectedSpan[];
}
