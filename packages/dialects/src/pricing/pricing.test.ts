import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPricing, type PricedCall } from "../prices.ts";

const pricing = createPricing();
const table = "genai-prices 0.1.8";

const call: PricedCall = {
  provider: "openai",
  responseModel: "gpt-4o-mini-2024-07-18",
  requestModel: "gpt-4o-mini",
  serviceTier: "default",
  at: new Date("2026-11-01T00:00:00Z"),
  usage: { input_tokens: 1_000, output_tokens: 10 },
  hasNoOutput: false,
};

test("a call has the price of its tokens, and the name of the table that says so", () => {
  expect(pricing(call)).toEqual({
    status: "priced",
    currency: "USD",
    total: "0.000156",
    input: "0.00015",
    output: "0.000006",
    model: "gpt-4o-mini",
    price_table: table,
    price_date: "2026-11-01",
  });
});

test("the table has the version that is installed", async () => {
  const entry = fileURLToPath(import.meta.resolve("@pydantic/genai-prices"));
  const manifest = await readFile(entry.replace(/dist.*$/, "package.json"), "utf8");
  expect(table).toBe(`genai-prices ${JSON.parse(manifest).version}`);
});

describe("what is not known is null", () => {
  const unknown = (status: string) => ({ status, currency: "USD", total: null });

  test.each([
    ["no usage", { usage: undefined }],
    ["no output of a call that has one", { usage: { input_tokens: 5 } }],
    ["no input", { usage: { output_tokens: 5 } }],
  ])("%s", (_, change) => {
    expect(pricing({ ...call, ...change })).toEqual(unknown("missing_usage"));
  });

  test.each([
    ["a model that nobody sells", { responseModel: "my-own-7b", requestModel: "my-own-7b" }],
    ["no model", { responseModel: undefined, requestModel: undefined }],
    ["a model of somebody else", { provider: "ollama" }],
  ])("%s", (_, change) => {
    expect(pricing({ ...call, ...change })).toEqual(unknown("unknown_model"));
  });
});

describe("a name that begins with its service is that service's", () => {
  const named = (provider: string | undefined, responseModel: string) => {
    const { status, total, model } = pricing({
      ...call,
      provider,
      responseModel,
      requestModel: undefined,
    });
    return [status, total, model];
  };

  // As OpenHands, mini-swe-agent and Harbor write down what they asked LiteLLM for.
  test.each([
    ["openai/gpt-4o-mini", "0.000156", "gpt-4o-mini"],
    ["litellm_proxy/gpt-4o-mini", "0.000156", "gpt-4o-mini"],
    ["litellm_proxy/openai/gpt-4o-mini", "0.000156", "gpt-4o-mini"],
    ["anthropic/claude-sonnet-4-5-20250929", "0.00315", "claude-sonnet-4-5"],
    ["gemini/gemini-2.5-pro", "0.00135", "gemini-2.5-pro"],
    ["openrouter/anthropic/claude-sonnet-4", "0.00315", "anthropic/claude-sonnet-4"],
  ])("%s", (name, total, model) => {
    expect(named(undefined, name)).toEqual(["estimated", total, model]);
  });

  test("also behind names of those that hand on without end", () => {
    const routed = `${"openhands/litellm_proxy/".repeat(20_000)}openai/gpt-4o-mini`;
    expect(named(undefined, routed)).toEqual(["estimated", "0.000156", "gpt-4o-mini"]);
  });

  test("and sure where the provider is known to be that one", () => {
    expect(named("openai", "openai/gpt-4o-mini")).toEqual(["priced", "0.000156", "gpt-4o-mini"]);
  });

  test.each([
    ["vllm", "openai/gpt-4o-mini"],
    [undefined, "somebody/gpt-4o-mini"],
    ["ollama", "litellm_proxy/gpt-4o-mini"],
  ])("but not at %s: %s", (provider, name) => {
    expect(named(provider, name)).toEqual(["unknown_model", null, undefined]);
  });
});

describe("a price that may not be the one that was paid is an estimate", () => {
  test.each([
    ["a tier with prices of its own", { serviceTier: "flex" }],
    ["only the request's model is in the table", { responseModel: "internal-build-7" }],
    ["nobody says who served it", { provider: undefined }],
  ])("%s", (_, change) => {
    expect(pricing({ ...call, ...change })).toMatchObject({
      status: "estimated",
      total: "0.000156",
    });
  });

  test("parts that exceed their total are left out", () => {
    const usage = { input_tokens: 1_000, output_tokens: 10, cache_read_input_tokens: 2_000 };
    expect(pricing({ ...call, usage })).toMatchObject({ status: "estimated", total: "0.000156" });
  });
});

test("parts of a total are never paid twice", () => {
  const usage = { input_tokens: 1_000, output_tokens: 100 };
  const model = { responseModel: "gpt-5-mini", requestModel: "gpt-5-mini" };
  const priceOf = (parts: PricedCall["usage"]) => {
    const { input, output } = pricing({ ...call, ...model, usage: { ...usage, ...parts } });
    return [input, output];
  };
  expect(priceOf({})).toEqual(["0.00025", "0.0002"]);
  expect(priceOf({ reasoning_output_tokens: 64 })).toEqual(["0.00025", "0.0002"]);
  expect(priceOf({ text_input_tokens: 1_000 })).toEqual(["0.00025", "0.0002"]);
  // 400 at a tenth of the price.
  expect(priceOf({ cache_read_input_tokens: 400 })).toEqual(["0.00016", "0.0002"]);
  const cached = { ...usage, cache_read_input_tokens: 400 };
  expect(pricing({ ...call, ...model, usage: cached }).cached_input).toBe("0.00001");
  expect(pricing({ ...call, ...model, usage })).not.toHaveProperty("cached_input");
});

describe("tokens that the cache keeps for an hour", () => {
  const claude: PricedCall = {
    ...call,
    provider: "anthropic",
    responseModel: "claude-haiku-4-5-20251001",
    requestModel: undefined,
    usage: {
      input_tokens: 10_000,
      output_tokens: 100,
      cache_read_input_tokens: 6_000,
      cache_write_input_tokens: 3_000,
    },
  };
  const inputOf = (change: Partial<PricedCall>) => pricing({ ...claude, ...change }).input;

  test("cost twice what others cost, those it keeps for five minutes a quarter more", () => {
    // A million costs 1 dollar, read 0.10, written 1.25, for an hour 2: 0.001 + 0.0006 + …
    expect(inputOf({})).toBe("0.00535");
    expect(inputOf({ cacheWrite1hTokens: 0 })).toBe("0.00535");
    expect(inputOf({ cacheWrite1hTokens: 1_000 })).toBe("0.0061");
    expect(inputOf({ cacheWrite1hTokens: 3_000 })).toBe("0.0076");
  });

  test("cost what others of the cache do where the table has no price of theirs", () => {
    const provider = "aws.bedrock";
    const responseModel = "global.anthropic.claude-haiku-4-5-20251001-v1:0";
    const bedrock = { provider, responseModel };
    expect(inputOf({ ...bedrock, cacheWrite1hTokens: 1_000 })).toBe("0.00535");
  });

  test("are left out with the other parts where they are more than were written", () => {
    const cost = pricing({ ...claude, cacheWrite1hTokens: 3_001 });
    expect(cost).toMatchObject({ status: "estimated", input: "0.01" });
  });
});

test("sound has the price of sound, the rest of the input that of text", () => {
  const model = { responseModel: "gpt-realtime", requestModel: undefined };
  const usage = {
    input_tokens: 1_000,
    output_tokens: 100,
    cache_read_input_tokens: 500,
    audio_input_tokens: 600,
    audio_cache_read_input_tokens: 400,
    audio_output_tokens: 80,
    text_output_tokens: 20,
  };
  const { status, input, output, cached_input } = pricing({ ...call, ...model, usage });
  expect(cached_input).toBeUndefined();
  // 200 of sound at $32 and 400 at 0.40, 300 of text at $4 and 100 at 0.40; 80 of sound at $64, 20 of text at $16.
  expect([status, input, output]).toEqual(["priced", "0.0078", "0.00544"]);
});

test("a call is priced by the table of its moment", () => {
  const model = { responseModel: "o3", requestModel: "o3" };
  const at = (day: string) => pricing({ ...call, ...model, at: new Date(day) }).total;
  expect([at("2025-06-09T23:59:59Z"), at("2025-06-10T00:00:00Z")]).toEqual(["0.0104", "0.00208"]);
});

test("embeddings cost their input", () => {
  const model = { responseModel: "text-embedding-3-small", requestModel: undefined };
  const usage = { input_tokens: 4 };
  expect(pricing({ ...call, ...model, usage, hasNoOutput: true }).total).toBe("0.00000008");
});

describe("sound that is counted in seconds", () => {
  const sound = (model: string, audioSeconds: number, usage?: PricedCall["usage"]) =>
    pricing({ ...call, responseModel: undefined, requestModel: model, usage, audioSeconds });

  test("has the price of its time", () => {
    expect(sound("whisper-1", 10)).toEqual({
      status: "priced",
      currency: "USD",
      total: "0.001",
      model: "whisper-1",
      price_table: table,
      price_date: "2026-11-01",
    });
  });

  test("is not free where the table has no price of time", () => {
    expect(sound("gpt-4o-transcribe", 10)).toMatchObject({ status: "unknown_model", total: null });
    expect(sound("gpt-live", 10)).toMatchObject({ status: "unknown_model", total: null });
  });

  test("is not paid beside tokens", () => {
    const usage = { input_tokens: 1_000, output_tokens: 10 };
    expect(sound("gpt-4o-mini", 10, usage).total).toBe("0.000156");
  });
});

describe("a price file of one's own", () => {
  const own = createPricing({
    version: "acme 7",
    providers: [
      {
        id: "openai",
        name: "OpenAI, as we buy it",
        api_pattern: "",
        models: [
          {
            id: "gpt-4o-mini",
            match: { starts_with: "gpt-4o-mini" },
            prices: { input_mtok: 0.1, output_mtok: 0.3 },
          },
        ],
      },
    ],
  });

  test("is asked first", () => {
    expect(own(call)).toMatchObject({ total: "0.000103", price_table: "acme 7", status: "priced" });
  });

  test("leaves what it doesn't know to the table", () => {
    const model = { responseModel: "gpt-4.1", requestModel: "gpt-4.1" };
    expect(own({ ...call, ...model })).toEqual(pricing({ ...call, ...model }));
  });

  test.each([
    [{ providers: [] }, "version is undefined"],
    [{ version: "1", providers: {} }, "providers are no list"],
    [{ version: "1", providers: [{ id: "openai" }] }, 'provider "openai" has no list of models'],
  ])("that is none is refused: %j", (file, problem) => {
    expect(() => createPricing(file as never)).toThrow(problem);
  });
});

test("amounts are exact for any price and any number of tokens", () => {
  const price = fc.tuple(fc.nat({ max: 999 }), fc.nat({ max: 99_999 }));
  const counts = fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.nat({ max: 2 ** 31 - 1 }));
  fc.assert(
    fc.property(price, price, counts, (forInput, forOutput, [input_tokens, output_tokens]) => {
      const text = ([whole, places]: readonly [number, number]): number =>
        Number(`${whole}.${String(places).padStart(5, "0")}`);
      const prices = { input_mtok: text(forInput), output_mtok: text(forOutput) };
      const model = { id: "m", match: { equals: "m" }, prices };
      const provider = { id: "p", name: "p", api_pattern: "", models: [model] };
      const cost = createPricing({ version: "1", providers: [provider] })({
        ...call,
        provider: "p",
        responseModel: "m",
        usage: { input_tokens, output_tokens },
      });
      // In hundred-thousandths of a millionth of a dollar, all are whole numbers.
      const amount = ([whole, places]: readonly [number, number], count: number): bigint =>
        (BigInt(whole) * 100_000n + BigInt(places)) * BigInt(count);
      const [paidIn, paidOut] = [amount(forInput, input_tokens), amount(forOutput, output_tokens)];
      expect([cost.input, cost.output, cost.total].map(elevenPlaces)).toEqual([
        paidIn,
        paidOut,
        paidIn + paidOut,
      ]);
    }),
  );
});

function elevenPlaces(amount: string | null | undefined): bigint {
  const [whole = "", places = ""] = String(amount).split(".");
  return BigInt(whole + places.padEnd(11, "0"));
}
