import { assemble } from "@thoughtflow/assemble";
import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import type { ImportFormat } from "../import-format.ts";
import { openaiLog } from "../openai-log/openai-log.ts";
import { proxyLog } from "../proxy-log/proxy-log.ts";

const ASKED = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Say one." }] };

async function callsIn(format: ImportFormat, lines: readonly object[]): Promise<readonly Step[]> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { records } = await recordsOfText(format, text);
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
  return steps.filter(({ label }) => label === "assistant_call");
}

async function callIn(format: ImportFormat, line: object): Promise<Step | undefined> {
  return (await callsIn(format, [line]))[0];
}

/** As claude-tap and its kin write it: when the answer is whole. */
function tapped(path: string, response: object): object {
  return {
    timestamp: "2026-03-25T10:00:05.000000+00:00",
    request_id: "req_0123456789ab",
    turn: 1,
    duration_ms: 4000,
    request: { method: "POST", path, headers: {}, body: ASKED },
    response: { status: 200, headers: {}, ...response },
    upstream_base_url: "https://api.example.com",
  };
}

const message = { id: "msg_1", type: "message", role: "assistant", model: "m" };
const usage = { input_tokens: 10, output_tokens: 2 };
const text = { type: "text", text: "One." };
const delta = { type: "text_delta", text: "One." };
const events = [
  { type: "message_start", message: { ...message, content: [], usage } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
].map((data) => ({ event: data.type, data }));

test("an answer of which only its stream's events stand in the line is what they add up to", async () => {
  const path = "/v1/messages?beta=true";
  const body = { ...message, content: [text], stop_reason: "end_turn", usage };
  const whole = await callIn(proxyLog, tapped(path, { body, sse_events: events }));
  expect(whole?.payload_completed).toMatchObject({ text: "One.", finish_reasons: ["end_turn"] });
  expect(whole?.usage).toMatchObject(usage);
  expect(await callIn(proxyLog, tapped(path, { body: null, sse_events: events }))).toEqual(whole);
});

test("events may be texts, of OpenAI's API as of Anthropic's", async () => {
  const choices = [{ index: 0, delta: { content: "One." }, finish_reason: "stop" }];
  const chunks = [
    { id: "c_1", object: "chat.completion.chunk", model: "m", choices },
    { id: "c_1", choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } },
  ];
  const sse_events = [
    ...chunks.map((chunk) => ({ event: "message", data: JSON.stringify(chunk) })),
    { event: "message", data: "[DONE]" },
  ];
  const line = tapped("/v1/chat/completions", { body: null, sse_events });
  const call = await callIn(openaiLog, line);
  expect(call?.payload_completed).toMatchObject({ text: "One.", finish_reasons: ["stop"] });
  expect(call?.usage).toMatchObject(usage);
});

test("what is logged when the answer is whole began so long before", async () => {
  const times = { started_at: "2026-03-25T10:00:01.000Z", ended_at: "2026-03-25T10:00:05.000Z" };
  const body = { ...message, content: [text], usage };
  expect(await callIn(proxyLog, tapped("/v1/messages", { body }))).toMatchObject(times);
  const chat = { id: "c_1", choices: [{ index: 0, message: { content: "One." } }] };
  expect(await callIn(openaiLog, tapped("/v1/chat/completions", { body: chat }))).toMatchObject(
    times,
  );
});

test("what asks no model is no call, whatever it sends, and the path tells the model at Bedrock", async () => {
  const counted = tapped("/v1/messages/count_tokens?beta=true", { body: { input_tokens: 5 } });
  const path = "/model/anthropic.claude-x/invoke";
  const asked = { method: "POST", path, body: { ...ASKED, model: undefined } };
  const line = { ...tapped(path, { body: { ...message, content: [text] } }), request: asked };
  const calls = await callsIn(proxyLog, [counted, line]);
  expect(calls.map((call) => call.payload_started?.["model"])).toEqual(["anthropic.claude-x"]);
});
