import { type Prompt, type PromptSegment, TOOL_SCHEMAS } from "./prompt-of.ts";
import { toolDeclarations } from "./tool-declarations.ts";

/** How many tokens a text is. Of tool schemas it is given declarations, as models are. */
export type CountTokens = (text: string) => number;

/** A rule of thumb, for the proportions and where nobody counted: four bytes of UTF-8. */
export const estimateTokens: CountTokens = (text) => Math.ceil(Buffer.byteLength(text) / 4);

/** Tokens of a prompt, segment by segment. */
export interface TokenShares {
  readonly tokens: readonly number[];
  /** Of each segment's tokens those that the provider took from its cache: the cache holds a beginning. */
  readonly cached: readonly number[];
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
export function tokenShares(prompt: Prompt, count?: CountTokens): TokenShares {
  const { call, segments } = prompt;
  const paid = call.step.usage?.input_tokens;
  const counted = segments.map((segment) => (count ?? estimateTokens)(countedText(segment)));
  const sum = counted.reduce((all, one) => all + one, 0);
  const sharesFrom = count === undefined ? "estimate" : "tokenizer";
  const tokens =
    paid === undefined || count !== undefined ? counted : sharedOut(paid, counted, sum);
  const total = paid ?? sum;
  return {
    tokens,
    cached: beginning(tokens, call.step.usage?.cache_read_input_tokens ?? 0),
    total,
    framing: total - tokens.reduce((all, one) => all + one, 0),
    totalFrom: paid === undefined ? sharesFrom : "provider",
    sharesFrom,
  };
}

function countedText({ type, text }: PromptSegment): string {
  return type === TOOL_SCHEMAS ? toolDeclarations(text) : text;
}

/** How many of the first tokens each segment has. */
function beginning(tokens: readonly number[], count: number): readonly number[] {
  let left = count;
  return tokens.map((one) => {
    const taken = Math.min(one, left);
    left -= taken;
    return taken;
  });
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
