import { assemble } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

const counts = (input: number, output: number, read = 0) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: 0,
});
const advisor = (input: number, output: number, read = 0) => ({
  ...counts(input, output, read),
  type: "advisor_message",
  model: "claude-opus-4-8",
});
const own = (input: number, output: number) => ({ ...counts(input, output), type: "message" });

/** The records of one answer, as Claude Code writes them: a line a block, each with the usage known by then. */
function transcript(usages: readonly object[]): string {
  const blocks = [
    { type: "server_tool_use", id: "srvtoolu_01", name: "advisor", input: {} },
    {
      type: "advisor_tool_result",
      tool_use_id: "srvtoolu_01",
      content: { type: "advisor_result", text: "Begin with the tests." },
    },
    { type: "text", text: "I begin with the tests." },
  ];
  const records = [
    { type: "user", message: { role: "user", content: "Mend the parser, please." } },
    ...blocks.map((block, nth) => ({
      type: "assistant",
      message: {
        id: "msg_01advised",
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [block],
        usage: usages[Math.min(nth, usages.length - 1)],
      },
    })),
  ];
  return records
    .map((record, nth) =>
      JSON.stringify({
        ...record,
        uuid: `u${nth}`,
        parentUuid: nth === 0 ? null : `u${nth - 1}`,
        sessionId: "s",
        timestamp: new Date(Date.UTC(2026, 5, 1) + nth * 1_000).toISOString(),
      }),
    )
    .join("\n");
}

async function sessionOf(...usages: readonly object[]): Promise<Session> {
  const { records } = await recordsOf(claudeCode, [sourceText(transcript(usages), "s.jsonl")]);
  const [session] = assemble(records);
  if (session === undefined) throw new Error("no session");
  return session;
}

/** The steps that have tokens of their own, by their names, with the model and those. */
function tokensOf({ conversations }: Session): Readonly<Record<string, unknown>> {
  const steps = conversations.flatMap(({ steps }) => steps);
  return Object.fromEntries(
    steps.flatMap(({ label, payload_started: told, usage }) =>
      usage === undefined
        ? []
        : [
            [
              label === "assistant_call" ? "call" : told?.["name"],
              [told?.["model"], usage.input_tokens, usage.output_tokens],
            ],
          ],
    ),
  );
}

test("what an advisor took within an answer counts once, for its own model, beside the sums of the answer", async () => {
  const first = counts(400, 1);
  const last = {
    ...counts(900, 60),
    iterations: [own(400, 20), advisor(820, 530, 100), own(500, 40)],
  };
  const session = await sessionOf(first, last);
  expect(tokensOf(session)).toEqual({
    call: ["claude-sonnet-4-5", 900, 60],
    "advisor (claude-opus-4-8)": ["claude-opus-4-8", 920, 530],
  });
  const { totals } = session;
  expect([totals?.model_calls, totals?.input_tokens, totals?.output_tokens]).toEqual([
    1, 1_820, 590,
  ]);
  const plain = await sessionOf(counts(900, 60));
  const [all = 0, alone = 0] = [totals, plain.totals].map((one) => Number(one?.cost?.total));
  // 5 and 25 US dollars a million, and a tenth of the former from the cache.
  expect(all - alone).toBeCloseTo((820 * 5 + 530 * 25 + 100 * 0.5) / 1e6, 9);
});

test("each of two inferences of one advisor counts, and so does a compaction, for the answer's model", async () => {
  const session = await sessionOf({
    ...counts(900, 60),
    iterations: [
      { ...counts(180_000, 3_500), type: "compaction" },
      advisor(820, 530),
      advisor(860, 90),
      own(900, 60),
    ],
  });
  expect(tokensOf(session)).toEqual({
    call: ["claude-sonnet-4-5", 900, 60],
    "advisor (claude-opus-4-8)": ["claude-opus-4-8", 820, 530],
    "advisor (claude-opus-4-8) 2": ["claude-opus-4-8", 860, 90],
    "compaction (claude-sonnet-4-5)": ["claude-sonnet-4-5", 180_000, 3_500],
  });
});
