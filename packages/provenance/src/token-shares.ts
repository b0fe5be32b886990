import type { Prompt } from "./prompt-of.ts";

/** How many tokens a text is. */
export type CountTokens = (text: string) => number;

/** A rule of thumb, for the proportions and where nobody counted: four bytes of UTF-8. */
export const estimateTokens: CountTokens = (text) => Math.ceil(Buffer.byteLength(text) / 4);

/** Tokens of a prompt, segment by segment. */
export interface TokenShares {
  readonly tokens: readonly number[];
  /** Of the whole input. */
  readonly total: number;
  /** Tokens of the total that no segment has: how a provider frames messages, or what was left out of the file. */
  readonly framing: number;
  /** `provider`: the total is what was paid for; `tokenizer`, `estimate`: nobody said. */
  readonly totalFrom: "provider" | "tokenizer" | "estimate";
  /** `tokenizer`: each was counted; `estimate`: the total, shared out by length. */
  readonly sharesFrom: "tokenizer" | "estimate";
}

/**
 * What each segment of a prompt takes of its tokens. The provider's count is the total where there is one; with a
 * tokenizer each segment is counted, else the total is shared out by length, to the last token.
 */
export function tokenShares({ call, segments }: Prompt, count?: CountTokens): TokenShares {
  const paid = call.step.usage?.input_tokens;
  const counted = segments.map(({ text }) => (count ?? estimateTokens)(text));
  const sum = counted.reduce((all, one) => all + one, 0);
  const sharesFrom = count === undefined ? "estimate" : "tokenizer";
  if (paid === undefined) {
    return { tokens: counted, total: sum, framing: 0, totalFrom: sharesFrom, sharesFrom };
  }
  if (count !== undefined) {
    return { tokens: counted, total: paid, framing: paid - sum, totalFrom: "provider", sharesFrom };
  }
  const tokens = sharedOut(paid, counted, sum);
  const framing = segments.length === 0 ? paid : 0;
  return { tokens, total: paid, framing, totalFrom: "provider", sharesFrom };
}

/** A total in proportion to weights: whole numbers whose sum is the total. */
function sharedOut(total: number, weights: readonly number[], sum: number): readonly number[] {
  let weight = 0;
  let given = 0;
  return weights.map((one) => {
    weight += one;
    const until = sum === 0 ? 0 : Math.round((total * weight) / sum);
    const share = until - given;
    given = until;
    return share;
  });
}
