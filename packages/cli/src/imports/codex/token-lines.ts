import type { Attributes } from "@thoughtflow/schema";
import { type PlainObject, textOf } from "../plain-values.ts";
import { tokensOf, usageOf } from "./records.ts";

/** What an answer took. */
export interface ToldTokens {
  readonly usage: Attributes;
  /** In versions that tell it. */
  readonly responseId: string | undefined;
}

/** The lines of a thread that tell tokens: those of each answer once, however many lines tell them. */
export interface TokenLines {
  /** @param record Of a `token_usage_record`, in versions that write one for each answer; `undefined` where its answer was told */
  recordedBy(record: PlainObject): ToldTokens | undefined;
  /** @param event `token_count`; `undefined` where it tells nothing new, or records do. */
  countedBy(event: PlainObject): ToldTokens | undefined;
  /** @param event `token_count` of another thread: this one goes on from its sums. */
  copied(event: PlainObject): void;
  /** The model says more: what is told next is of another answer. */
  answers(): void;
}

export function createTokenLines(): TokenLines {
  let total = "";
  let isRecorded = false;
  /** The ids of those that records told. */
  const told = new Set<string>();
  /** What an event told last, while the model said no more. */
  let counted: Attributes | undefined;

  return {
    recordedBy({ usage: tokens, response_id }) {
      const usage = usageOf(tokens);
      const responseId = textOf(response_id);
      // The event mostly comes after the record of the same.
      const isCounted = !isRecorded && counted !== undefined && isSame(usage, counted);
      isRecorded = true;
      if (responseId !== undefined && told.has(responseId)) return undefined;
      if (responseId !== undefined) told.add(responseId);
      return isCounted ? undefined : { usage, responseId };
    },
    countedBy(event) {
      if (isRecorded) return undefined;
      const { usage, total: sums } = tokensOf(event, total);
      // Told again when limits change, and before there are any.
      if (sums === "" || sums === total) return undefined;
      total = sums;
      counted = usage;
      return { usage, responseId: undefined };
    },
    copied(event) {
      total = tokensOf(event, total).total;
    },
    answers() {
      counted = undefined;
    },
  };
}

function isSame(one: Attributes, other: Attributes): boolean {
  return Object.entries({ ...one, ...other }).every(
    ([name]) => (one[name] ?? 0) === (other[name] ?? 0),
  );
}
