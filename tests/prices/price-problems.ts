import { openaiChat } from "@thoughtflow/dialects";
import { createPricing } from "@thoughtflow/dialects/prices";
import type { Cost, Usage } from "@thoughtflow/schema";

/** One usage body of genai-prices' `usages.json` with what each way of reading it should give. */
export interface PricedBody {
  readonly body: Readonly<Record<string, unknown>>;
  readonly extracted: readonly {
    readonly usage: Readonly<Record<string, number>>;
    readonly extractors: readonly ExpectedPrice[];
  }[];
  readonly model?: string;
}

interface ExpectedPrice {
  readonly provider_id: string;
  readonly api_flavor: string;
  /** US dollars, decimal; absent where the provider does not sell the model. */
  readonly input_price?: string;
  readonly output_price?: string;
}

export interface Comparison {
  /** Prices of usage that the oracle has normalised. */
  compared: number;
  /** Prices of the same, read by our own dialect from the provider's body. */
  fromBodies: number;
  readonly problems: string[];
}

/** Tables change: the oracle was written with those of this day. */
const ORACLE_DAY = new Date("2026-06-01T12:00:00Z");

const OURS: Readonly<Record<string, keyof Usage>> = {
  input_tokens: "input_tokens",
  output_tokens: "output_tokens",
  cache_read_tokens: "cache_read_input_tokens",
  cache_write_tokens: "cache_write_input_tokens",
  output_reasoning_tokens: "reasoning_output_tokens",
  input_text_tokens: "text_input_tokens",
  output_text_tokens: "text_output_tokens",
  input_image_tokens: "image_input_tokens",
  output_image_tokens: "image_output_tokens",
  input_audio_tokens: "audio_input_tokens",
  output_audio_tokens: "audio_output_tokens",
  cache_text_read_tokens: "text_cache_read_input_tokens",
  cache_image_read_tokens: "image_cache_read_input_tokens",
  cache_audio_read_tokens: "audio_cache_read_input_tokens",
};

const OPENAI_WIRE: ReadonlySet<string> = new Set(["chat", "responses"]);
const pricing = createPricing();

/** Compares our prices with the oracle's, decimal by decimal. */
export function comparePrices(bodies: readonly PricedBody[]): Comparison {
  const comparison: Comparison = { compared: 0, fromBodies: 0, problems: [] };
  for (const { body, extracted, model } of bodies) {
    if (model === undefined) continue;
    const own = usageOfBody(body["usage"]);
    for (const { usage, extractors } of extracted) {
      for (const expected of extractors) {
        if (expected.input_price === undefined) continue;
        comparison.compared += 1;
        check(comparison, "normalised", expected, model, normalised(usage));
        if (own === undefined || !OPENAI_WIRE.has(expected.api_flavor)) continue;
        comparison.fromBodies += 1;
        check(comparison, "from body", expected, model, own);
      }
    }
  }
  return comparison;
}

function check(
  { problems }: Comparison,
  way: string,
  expected: ExpectedPrice,
  model: string,
  usage: Usage,
): void {
  const cost = pricing({
    provider: expected.provider_id,
    responseModel: model,
    requestModel: undefined,
    serviceTier: undefined,
    at: ORACLE_DAY,
    usage,
    hasNoOutput: true,
  });
  const wanted = `${plain(expected.input_price)} + ${plain(expected.output_price)}`;
  const given = `${cost.input ?? null} + ${cost.output ?? null}`;
  if (given === wanted && cost.status === "priced") return;
  problems.push(
    `${way}, ${expected.provider_id}/${expected.api_flavor} ${model} ${JSON.stringify(usage)}: ${describe(cost, given)}, expected ${wanted}`,
  );
}

function describe({ status }: Cost, amounts: string): string {
  return status === "priced" ? amounts : `${amounts} (${status})`;
}

/** As we write it: no exponent (`9E-7`), no zeros at the end. */
function plain(amount = "0"): string {
  const [digits = "", exponent] = amount.split("E-");
  const shifted = exponent === undefined ? digits : Number(amount).toFixed(20);
  return shifted.includes(".") ? shifted.replace(/\.?0+$/, "") : shifted;
}

function normalised(usage: Readonly<Record<string, number>>): Usage {
  return Object.fromEntries(
    Object.entries(usage).flatMap(([name, count]) =>
      OURS[name] === undefined ? [] : [[OURS[name], count]],
    ),
  );
}

/** Our own reading of a usage body; `undefined` when it is not in OpenAI's form. */
function usageOfBody(usage: unknown): Usage | undefined {
  const attributes = Object.entries(openaiChat.responseAttributes({ usage }));
  if (attributes.length === 0) return undefined;
  return Object.fromEntries(
    attributes.map(([name, count]) => [
      name.replace(/^gen_ai\.usage\./, "").replaceAll(".", "_"),
      Number(count),
    ]),
  );
}
