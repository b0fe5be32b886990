import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkSession, type Session } from "@thoughtflow/schema";
import { createReplayServer, loadExchanges } from "@thoughtflow/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./stack/polling.ts";
import { type Receiver, type ReceiverPlace, receiverPlace } from "./stack/receiver.ts";

/** Three calls that chain two tools, really recorded. */
const RECORDING = "simonw-llm/chat-tool-chain";

const PEERS = ["openinference", "traceloop", "langfuse", "vercel-ai"];

let place: ReceiverPlace;
let receiver: Receiver;

beforeAll(async () => {
  place = await receiverPlace();
  receiver = await place.start();
});

afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** Runs an app of `tests/peers` in a process of its own, whose spans go to the receiver. */
async function run(session: string, app: string, ...argv: readonly string[]): Promise<void> {
  await using server = await createReplayServer(loadExchanges(RECORDING));
  const command = [join(import.meta.dirname, "peers", app), ...argv];
  await promisify(execFile)(process.execPath, command, {
    env: {
      PATH: process.env["PATH"],
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${server.url}/v1`,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_SERVICE_NAME: app,
      SESSION_ID: session,
    },
  });
}

/** When the receiver has it: all spans of an app come in one request. */
async function documentOf(id: string): Promise<Session> {
  return until(`the document of ${id}`, async () => {
    const text = (await place.documents()).get(`${id}.json`);
    return text === undefined ? undefined : (JSON.parse(text) as Session);
  });
}

/** What was said, asked and given, in order, whoever tells it, and what each rests on, by its place. */
function flowOf({ conversations }: Session) {
  const steps = conversations
    .flatMap((run) => run.steps)
    .filter(({ label }) => label !== "agent" && label !== "node")
    // What another step of the same call tells better.
    .filter((step) => step.label !== "assistant_call" || step.depends_on !== undefined);
  const places = new Map(steps.map((step, n) => [step.step_id, n]));
  return steps.map(({ label, depends_on: on = [], payload_started, payload_completed }) => {
    const said = payload_started?.["args"] ?? payload_started?.["text"];
    const given = payload_completed?.["result"];
    const rests = (typeof on === "string" ? [on] : on).flatMap((id) => places.get(id) ?? []);
    return [label, said ?? String(given ?? ""), rests.toSorted()];
  });
}

function expectToolLoop(session: Session): void {
  expect(checkSession(session)).toEqual([]);
  expect(session.warnings ?? []).toEqual([]);
  expect(session.conversations).toHaveLength(1);
  expect(session.totals).toMatchObject({
    model_calls: 3,
    tool_calls: 2,
    input_tokens: 356,
    output_tokens: 38,
  });
  expect(flowOf(session)).toEqual([
    ["tool.schemas.snapshot", "", []],
    ["user_message", "Can the country of Crumpet have dragons? Answer with only YES or NO", []],
    ["assistant_call", "", [0, 1]],
    ["tool_call", { country: "Crumpet" }, [2]],
    ["tool_output", "123124", [3]],
    ["assistant_call", "", [0, 4]],
    ["tool_call", { population: 123124 }, [5]],
    ["tool_output", "true", [6]],
    ["assistant_call", "", [0, 7]],
    ["assistant_message", "", [8]],
  ]);
  const steps = session.conversations.flatMap((run) => run.steps);
  const answers = steps.filter(({ label }) => label === "assistant_message");
  expect(answers.map(({ payload_completed }) => payload_completed?.["text"])).toEqual(["YES"]);
}

test.each(PEERS)("what %s sends of a tool loop is a whole document", async (peer) => {
  await run(peer, `${peer}.mjs`);
  expectToolLoop(await documentOf(peer));
});

test.each([
  ["openinference", "traceloop"],
  ["openinference", "langfuse"],
  ["traceloop", "langfuse"],
  ["openinference", "traceloop", "langfuse"],
  ["traceloop", "openinference", "langfuse"],
])("a call that several report is counted once: %s, %s, %s", async (...layers) => {
  const session = layers.join("-");
  await run(session, "several.mjs", ...layers);
  expectToolLoop(await documentOf(session));
});
