import { ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_RESPONSE_MODEL } from "@thoughtflow/semconv";
import { usageOfAnthropic } from "../anthropic-message.ts";
import type { TokensBeside } from "../conversation/conversation.ts";
import { UNTOLD_COST, UNTOLD_TOKENS } from "../conversation/untold-tokens.ts";
import { countOf, isObject, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { statedCost } from "../stated-cost.ts";
import { hasTablePrice } from "../table-price.ts";

/** Holds what the calls of a stream tell of their tokens against what its results say in all. */
export interface CountedTokens {
  /** A record of a call: the last one of an answer is right. */
  called(
    messageId: string,
    call: { model: string | undefined; usage: unknown; isMain: boolean },
  ): void;
  /** What a result counts beyond what was told so far, by model; `ms` is when it did. */
  beyondCalls(result: PlainObject, ms: number): readonly TokensBeside[];
}

/** Tokens by where they are counted: what is read from the cache is no `input`, here. */
interface Counted {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly written: number;
  /** Of those, what is kept for an hour. */
  readonly writtenFor1h: number;
  /** US dollars. */
  readonly cost: number;
}

/** By model; sums that have none stand at the empty name. */
type Counts = Map<string, Counted>;

interface Call {
  readonly model: string;
  readonly tokens: Counted;
  readonly isMain: boolean;
}

const PROVIDER = "anthropic";
const NONE: Counted = { input: 0, output: 0, read: 0, written: 0, writtenFor1h: 0, cost: 0 };
/** Of so many calls more may be told: their records follow each other. */
const MOST_CALLS = 1_000;

export function createCountedTokens(): CountedTokens {
  const latest = new Map<string, Call>();
  /** What calls told, of all agents and of the main one. */
  const told = { all: new Map() as Counts, main: new Map() as Counts };
  /** What results counted, and what was given of it that no call tells. */
  const counted: Counts = new Map();
  const given: Counts = new Map();
  /** What the last result said: each says what was counted since the program began. */
  let before: Counts = new Map();

  function tell({ model, tokens, isMain }: Call, by: typeof plus): void {
    for (const counts of isMain ? [told.all, told.main] : [told.all])
      counts.set(model, by(counts.get(model) ?? NONE, tokens));
  }

  /** What was counted since the last result; before 2.0 that is what the main agent's calls took. */
  function sinceLast(result: PlainObject): Counts {
    if (!isObject(result["modelUsage"])) {
      const cost = result["total_cost_usd"];
      const usage = { ...tokensOf(membersOf(result["usage"])), cost: dollarsOf(cost) };
      return new Map([[[...told.main.keys()].at(-1) ?? "", usage]]);
    }
    const all = countsIn(result["modelUsage"]);
    const last = before;
    before = all;
    const since = result["model_usage_since_last_result"];
    if (isObject(since)) return countsIn(since);
    // A session that is taken up again is counted by a program that begins at 0.
    const isAnew = [...last].some(([model, one]) => !isAtLeast(all.get(model) ?? NONE, one));
    if (isAnew) return all;
    return new Map([...all].map(([model, one]) => [model, minus(one, last.get(model) ?? NONE)]));
  }

  return {
    called(messageId, { model = "", usage, isMain }) {
      if (!isObject(usage)) return;
      const known = latest.get(messageId);
      if (known !== undefined) tell(known, minus);
      const call = { model, tokens: tokensOf(usage), isMain };
      tell(call, plus);
      latest.set(messageId, call);
      const [oldest = ""] = latest.keys();
      if (latest.size > MOST_CALLS) latest.delete(oldest);
    },

    beyondCalls(result, ms) {
      const since = sinceLast(result);
      const calls = isObject(result["modelUsage"]) ? told.all : told.main;
      for (const [model, one] of since) counted.set(model, plus(counted.get(model) ?? NONE, one));
      // Where a gateway names models otherwise, only the sums can be held against each other.
      const areNamed = [...calls.keys()].every((model) => counted.has(model));
      const names = areNamed ? [...counted.keys()] : [undefined];
      return names.flatMap((model) => {
        const of = (counts: Counts) =>
          model === undefined ? sumOf(counts) : (counts.get(model) ?? NONE);
        const rest = minus(minus(of(counted), of(calls)), of(given));
        const name = model ?? (counted.size === 1 ? [...counted.keys()][0] : undefined) ?? "";
        given.set(name, plus(given.get(name) ?? NONE, { ...rest, cost: 0 }));
        const isPriced = (model === undefined ? [...calls.keys()] : [name]).some((one) =>
          hasTablePrice({ model: one, provider: PROVIDER, ms }),
        );
        return untold(name, rest, of(since).cost, isPriced);
      });
    },
  };
}

/** @param isPriced Whether the table has a price for the tokens that the calls tell: what all cost is nothing new then. */
function untold(
  model: string,
  rest: Counted,
  cost: number,
  isPriced: boolean,
): readonly TokensBeside[] {
  const areCounted = rest.input + rest.output + rest.read + rest.written > 0;
  if (!areCounted && (isPriced || cost === 0)) return [];
  return [
    {
      name: areCounted ? UNTOLD_TOKENS : UNTOLD_COST,
      model: textOf(model),
      attributes: {
        ...usageOfAnthropic({
          input_tokens: rest.input,
          output_tokens: rest.output,
          cache_read_input_tokens: rest.read,
          cache_creation_input_tokens: rest.written,
          cache_creation: { ephemeral_1h_input_tokens: rest.writtenFor1h },
        }),
        [ATTR_GEN_AI_PROVIDER_NAME]: PROVIDER,
        ...(model !== "" && { [ATTR_GEN_AI_RESPONSE_MODEL]: model }),
        ...statedCost(cost),
      },
    },
  ];
}

/** By model, as calls name it: `claude-opus-4-8[1m]` is one with a longer context. */
function countsIn(usage: unknown): Counts {
  const counts: Counts = new Map();
  for (const [name, value] of Object.entries(membersOf(usage))) {
    const one = membersOf(value);
    const model = name.replace(/\[[^\]]*\]$/, "");
    counts.set(
      model,
      plus(counts.get(model) ?? NONE, {
        input: countOf(one["inputTokens"]),
        output: countOf(one["outputTokens"]),
        read: countOf(one["cacheReadInputTokens"]),
        written: countOf(one["cacheCreationInputTokens"]),
        writtenFor1h: countOf(one["cacheCreationEphemeral1hInputTokens"]),
        cost: dollarsOf(one["costUSD"]),
      }),
    );
  }
  return counts;
}

function tokensOf(usage: PlainObject): Counted {
  return {
    input: countOf(usage["input_tokens"]),
    output: countOf(usage["output_tokens"]),
    read: countOf(usage["cache_read_input_tokens"]),
    written: countOf(usage["cache_creation_input_tokens"]),
    writtenFor1h: countOf(membersOf(usage["cache_creation"])["ephemeral_1h_input_tokens"]),
    cost: 0,
  };
}

function dollarsOf(cost: unknown): number {
  return typeof cost === "number" && cost > 0 ? cost : 0;
}

function sumOf(counts: Counts): Counted {
  let sum = NONE;
  for (const one of counts.values()) sum = plus(sum, one);
  return sum;
}

function plus(a: Counted, b: Counted): Counted {
  return combined(a, b, (one, other) => one + other);
}

/** Never less than nothing. */
function minus(a: Counted, b: Counted): Counted {
  return combined(a, b, (one, other) => Math.max(0, one - other));
}

function combined(a: Counted, b: Counted, by: (one: number, other: number) => number): Counted {
  return {
    input: by(a.input, b.input),
    output: by(a.output, b.output),
    read: by(a.read, b.read),
    written: by(a.written, b.written),
    writtenFor1h: by(a.writtenFor1h, b.writtenFor1h),
    cost: by(a.cost, b.cost),
  };
}

function isAtLeast(a: Counted, b: Counted): boolean {
  return a.input >= b.input && a.output >= b.output && a.read >= b.read && a.written >= b.written;
}
