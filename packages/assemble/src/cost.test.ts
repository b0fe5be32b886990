import { createPricing } from "@thoughtflow/dialects/prices";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callOf, type RecordWords, recordOf, say } from "../testing/record-of.ts";
import { type AssembleOptions, assemble } from "./assemble.ts";
import { decimalSum } from "./decimal-sum.ts";

function costs(records: Parameters<typeof assemble>[0], options: AssembleOptions = {}) {
  const [session] = assemble(records, options);
  return {
    session: session?.totals?.cost,
    runs: session?.conversations.map((run) => run.totals?.cost),
    steps: session?.conversations.flatMap((run) =>
      run.steps.flatMap(({ label, cost }) =>
        cost === undefined ? [] : [[label, cost.status, cost.total]],
      ),
    ),
  };
}

const call = (words: RecordWords, input: number | undefined, output = 0) =>
  callOf(
    {
      ...words,
      attributes: {
        ...(input !== undefined && {
          "gen_ai.usage.input_tokens": input,
          "gen_ai.usage.output_tokens": output,
        }),
        ...words.attributes,
      },
    },
    [say("user", `question ${words.id}`)],
  );

test.each([
  ["before 1970", -1_767_225_601],
  ["beyond all dates", 8_640_000_000_001],
])("a call whose clock stands %s has the prices of the first day of 1970", (_, at) => {
  const [session] = assemble([call({ id: "1", at, until: at + 1 }, 100)]);
  const [cost] = session?.conversations[0]?.steps.flatMap((step) => step.cost ?? []) ?? [];
  expect(cost?.price_date).toBe("1970-01-01");
});

test("a call that was refused costs nothing, and one whose answer broke off has a cost that nobody knows", () => {
  const failed = (model: object) =>
    costs([
      call({ id: "1" }, 1000, 100),
      call({ id: "2", at: 3, error: "429", attributes: { ...model } }, undefined),
    ]).session?.calls;
  expect([failed({}), failed({ "gen_ai.response.model": "gpt-4o" })]).toEqual([
    { priced: 1 },
    { priced: 1, missing_usage: 1 },
  ]);
});

test("costs stand at the calls, and are summed for runs and the session", () => {
  const embedding = recordOf({
    id: "3",
    trace: "2",
    at: 20,
    attributes: {
      "gen_ai.operation.name": "embeddings",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "text-embedding-3-small",
      "gen_ai.usage.input_tokens": 4,
    },
  });
  expect(costs([call({ id: "1" }, 1000, 100), call({ id: "2", at: 3 }, 2, 1), embedding])).toEqual({
    session: { currency: "USD", total: "0.00045258", calls: { priced: 3 } },
    runs: [
      { currency: "USD", total: "0.00045", calls: { priced: 1 } },
      { currency: "USD", total: "0.0000025", calls: { priced: 1 } },
      { currency: "USD", total: "0.00000008", calls: { priced: 1 } },
    ],
    steps: [
      ["assistant_call", "priced", "0.00045"],
      ["assistant_call", "priced", "0.0000025"],
      ["embedding", "priced", "0.00000008"],
    ],
  });
});

test("a total says how many calls it doesn't hold", () => {
  const unknown = { id: "2", at: 3, attributes: { "gen_ai.request.model": "my-own-7b" } };
  const { session } = costs([
    call({ id: "1" }, 1000, 100),
    call(unknown, 5, 5),
    call({ id: "3", at: 5 }, undefined),
  ]);
  expect(session).toEqual({
    currency: "USD",
    total: "0.00045",
    calls: { missing_usage: 1, priced: 1, unknown_model: 1 },
  });
});

test("a session that is charged by the second has a cost, or says why not", () => {
  const session = (id: string, model: string) => ({
    ...recordOf({
      id,
      trace: id,
      attributes: {
        "gen_ai.operation.name": "realtime_session",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": model,
        "thoughtflow.audio_seconds": 10,
      },
    }),
    kind: "client" as const,
  });
  expect(costs([session("1", "gpt-transcribe")]).session).toEqual({
    currency: "USD",
    total: "0.00075",
    calls: { priced: 1 },
  });
  expect(costs([session("2", "gpt-live")]).session).toEqual({
    currency: "USD",
    total: null,
    calls: { unknown_model: 1 },
  });
});

test("nothing is told of a call that is still open", () => {
  expect(costs([call({ id: "1", open: true }, undefined)])).toEqual({
    session: undefined,
    runs: [undefined],
    steps: [],
  });
});

test("a price file of one's own is an argument", () => {
  const match = { equals: "gpt-5-mini" };
  const model = { id: "gpt-5-mini", match, prices: { input_mtok: 1, output_mtok: 1 } };
  const provider = { id: "openai", name: "ours", api_pattern: "", models: [model] };
  const pricing = createPricing({ version: "ours 1", providers: [provider] });
  expect(costs([call({ id: "1" }, 1000, 100)], { pricing }).session?.total).toBe("0.0011");
});

describe("the sum of decimal texts", () => {
  test.each([
    [["0.1", "0.2"], "0.3"],
    [["1", "2"], "3"],
    [["0.00000008", "12345678.9"], "12345678.90000008"],
    [["0.5", "0.5"], "1"],
    [["0"], "0"],
  ])("%j is %s", (amounts, sum) => {
    expect(decimalSum(amounts)).toBe(sum);
  });

  test("is exact for every number of amounts in any order", () => {
    const millionths = fc.array(fc.nat({ max: 999_999_999 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(millionths, (values) => {
        const texts = values.map(
          (value) => `${Math.floor(value / 1e6)}.${String(value % 1e6).padStart(6, "0")}`,
        );
        const sum = values.reduce((total, value) => total + value, 0);
        const [whole, places = ""] = decimalSum(texts.toReversed()).split(".");
        expect(Number(whole) * 1e6 + Number(places.padEnd(6, "0"))).toBe(sum);
        expect(decimalSum(texts)).toBe(decimalSum(texts.toReversed()));
      }),
    );
  });
});

test("what the program says that a call cost stands beside the table's price, and in its place where there is none", () => {
  const stated = { "thoughtflow.cost.stated": 0.0000125 };
  const unknown = { "gen_ai.request.model": "my-own-7b", ...stated };
  const records = [
    call({ id: "1", attributes: stated }, 1000, 100),
    call({ id: "2", at: 3, attributes: unknown }, 5, 5),
    call({ id: "3", at: 5, attributes: stated }, undefined),
    call({ id: "4", at: 7, attributes: { ...unknown, "thoughtflow.cost.stated": -1 } }, 5, 5),
  ];
  expect(costs(records)).toEqual({
    session: {
      currency: "USD",
      total: "0.000475",
      calls: { priced: 1, stated: 2, unknown_model: 1 },
    },
    runs: [
      { currency: "USD", total: "0.00045", calls: { priced: 1 } },
      { currency: "USD", total: "0.0000125", calls: { stated: 1 } },
      { currency: "USD", total: "0.0000125", calls: { stated: 1 } },
      { currency: "USD", total: null, calls: { unknown_model: 1 } },
    ],
    steps: [
      ["assistant_call", "priced", "0.00045"],
      ["assistant_call", "stated", "0.0000125"],
      ["assistant_call", "stated", "0.0000125"],
      ["assistant_call", "unknown_model", null],
    ],
  });
  const [first] =
    assemble(records)[0]?.conversations[0]?.steps.flatMap(({ cost }) => cost ?? []) ?? [];
  expect(first).toMatchObject({ total: "0.00045", stated: "0.0000125" });
});

test("what Microsoft Foundry sells has the prices of Azure", () => {
  const of = (provider: string) =>
    costs([call({ id: "1", attributes: { "gen_ai.provider.name": provider } }, 1000, 10)]).session;
  expect(of("microsoft.foundry")).toEqual(of("azure.ai.openai"));
  expect(of("microsoft.foundry")?.total).not.toBeNull();
});
