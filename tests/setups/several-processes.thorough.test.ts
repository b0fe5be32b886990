import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournalReader } from "@thoughtflow/journal";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { completion } from "./completion.ts";
import { REGISTER, runNode, sessionsIn } from "./run-app.ts";
import { seedsOf } from "./seeds-of.ts";

const apps = join(import.meta.dirname, "apps");
const declaredRuns = join(apps, "declared-runs.mjs");

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "thoughtflow-processes-"));
});
afterEach(() => rm(dir, { recursive: true }));

async function run(args: readonly string[], environment = {}): Promise<string> {
  const env = { PATH: process.env["PATH"], THOUGHTFLOW_DIR: dir, ...environment };
  const { code, stdout, stderr } = await runNode(args, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trim();
}

test("a step rests on one of another process by its run and id; both stand in the session's file", async () => {
  const first = await run([declaredRuns, "1"]);
  const second = await run([declaredRuns, "1", first]);
  const sessions = await sessionsIn(dir);
  expect(
    sessions.map(({ session_id, completeness, conversations }) => ({
      session_id,
      completeness,
      steps: conversations.flatMap(({ conversation_id, steps }) =>
        steps.map(({ step_id, depends_on }) => [`${conversation_id}/${step_id}`, depends_on]),
      ),
    })),
  ).toEqual([
    {
      session_id: "s",
      completeness: { status: "complete" },
      steps: [
        [first, undefined],
        [second, first],
      ],
    },
  ]);
});

test("processes that write one session at the same time lose no step", async () => {
  const processes = 4;
  const runs = 25;
  await Promise.all(Array.from({ length: processes }, () => run([declaredRuns, String(runs)])));
  const [session] = await sessionsIn(dir);
  expect(session?.totals).toMatchObject({ runs: processes * runs, steps: processes * runs });
  expect(session?.completeness).toEqual({ status: "complete" });
});

test("two scripts with two conversations each, all in the same words, are four sessions", async () => {
  const answers = Array.from({ length: 8 }, () => completion({ content: "Hello!" }));
  await using model = await createReplayServer(answers);
  const script = ["--import", REGISTER, join(apps, "interleaved.mjs")];
  const environment = { BASE_URL: `${model.url}/v1` };
  await Promise.all([run(script, environment), run(script, environment)]);
  const seeds = (await sessionsIn(dir)).map((session) => seedsOf(session));
  expect(seeds.toSorted()).toEqual([
    [[0], [0]],
    [[0], [0]],
    [[1], [1]],
    [[1], [1]],
  ]);
});

test("a response of another process is one step, its tokens are told once, and what goes on from it links to it", async () => {
  const output = [
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi." }] },
  ];
  const done = { status: "completed", output, usage: { input_tokens: 15, output_tokens: 9 } };
  const answers = [
    { id: "resp_1", status: "queued", output: [] },
    { id: "resp_1", ...done },
    { id: "resp_1", ...done },
    { id: "resp_2", ...done },
    { id: "resp_of_a_stranger", ...done },
  ];
  await using model = await createReplayServer(
    answers.map((answer) => toExchange("/v1/responses", { object: "response", ...answer })),
  );
  const environment = { BASE_URL: `${model.url}/v1` };
  for (const line of [
    "create",
    "retrieve resp_1",
    "retrieve resp_1",
    "continue resp_1",
    "retrieve resp_of_a_stranger",
  ]) {
    await run(["--import", REGISTER, join(apps, "responses.mjs"), ...line.split(" ")], environment);
  }

  const sessions = await sessionsIn(dir);
  const steps = sessions.map(({ conversations }) => conversations.flatMap((one) => one.steps));
  expect(
    steps.map((all) =>
      all.flatMap(({ label, payload_completed: said }) =>
        label === "assistant_call" ? [said?.["response_id"], said?.["text"]] : [],
      ),
    ),
  ).toEqual([
    ["resp_1", "Hi.", "resp_2", "Hi."],
    ["resp_of_a_stranger", "Hi."],
  ]);
  expect(sessions.map(({ completeness }) => completeness)).toEqual([
    { status: "complete" },
    { status: "complete" },
  ]);

  const journals = createJournalReader(dir);
  journals.refreshSync();
  const spans = journals.records().filter((record) => "kind" in record);
  const withUsage = spans.filter(({ attributes }) => "gen_ai.usage.input_tokens" in attributes);
  expect(withUsage.map(({ attributes }) => attributes["gen_ai.response.id"])).toEqual([
    "resp_1",
    "resp_2",
    "resp_of_a_stranger",
  ]);
  const first = spans.find(({ name }) => name === "chat m");
  const second = spans.findLast(({ name }) => name === "chat m");
  expect(
    second?.links.map(({ traceId, spanId, attributes }) => [
      traceId,
      spanId,
      attributes["thoughtflow.link.type"],
    ]),
  ).toEqual([[first?.traceId, first?.spanId, "continues"]]);
});
