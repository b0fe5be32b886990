import type { Answer } from "./http-post.ts";
import { pauseAfter } from "./pause.ts";

/** What is to be done with a request, by what came of it. */
export type Verdict =
  | { readonly kind: "accepted" }
  /** Not as one request; its halves may be accepted. */
  | { readonly kind: "smaller" }
  /** It would be refused again. */
  | { readonly kind: "refused"; readonly reason: string }
  | {
      readonly kind: "later";
      readonly reason: string;
      readonly pauseMillis: number;
      /** The receiver is there and asked for the pause: it is kept even when somebody flushes. */
      readonly isAsked: boolean;
    };

/** Wrong credentials are put right by people, and the spans are wanted then. */
const PAUSE_FOR_CREDENTIALS = 60_000;

/**
 * The verdict on an answer. Source: OTLP specification, "OTLP/HTTP Response", for all but 401 and 403, whose spans
 * are kept.
 *
 * @param failures how often in a row the receiver has not taken anything before
 */
export function verdictOn(answer: Answer, failures: number, now: number, random: number): Verdict {
  const { status, error, retryAfter } = answer;
  if (status >= 200 && status < 300) return { kind: "accepted" };
  const reason = status === 0 ? (error?.message ?? "no answer") : `status ${status}`;
  switch (status) {
    case 413:
      return { kind: "smaller" };
    case 401:
    case 403:
      return { kind: "later", reason, pauseMillis: PAUSE_FOR_CREDENTIALS, isAsked: true };
    case 0:
    case 429:
    case 502:
    case 503:
    case 504: {
      const pauseMillis = pauseAfter(failures, retryAfter, now, random);
      return { kind: "later", reason, pauseMillis, isAsked: status !== 0 };
    }
    default:
      return { kind: "refused", reason };
  }
}
