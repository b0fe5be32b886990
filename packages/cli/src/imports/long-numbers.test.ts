import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../testing/imported-records.ts";
import type { ImportFormat } from "./import-format.ts";
import { IMPORT_FORMATS } from "./index.ts";

const ID = "1234567890123456789";
/** As an API tells them: without quotes. */
const ASKED = `{"user":${ID}}`;
const GIVEN = `{"message":${ID}}`;
const quoted = (text: string) => JSON.stringify(text);

/** Of each format the lines of a call of a tool that is asked for something with such an id, and gives another one. */
const LOGS: Readonly<Record<string, readonly string[]>> = {
  "openai-log": [
    `{"request":{"url":"https://x/v1/chat/completions","body":{"model":"m","messages":[
    {"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":${quoted(ASKED)}}}]},
    {"role":"tool","tool_call_id":"c1","content":${quoted(GIVEN)}}]}},"response":{"body":{"id":"r1","choices":[]}}}`,
  ],
  "proxy-log": [
    `{"request":{"url":"https://x/v1/messages","body":{"model":"m","messages":[
    {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":${ASKED}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":${quoted(GIVEN)}}]}]}},"response":{"body":{"id":"r1","content":[]}}}`,
  ],
  "claude-code": [
    `{"type":"assistant","uuid":"a","sessionId":"s","message":{"id":"m1","role":"assistant","content":[
    {"type":"tool_use","id":"c1","name":"f","input":${ASKED}}]}}`,
    `{"type":"user","uuid":"u","parentUuid":"a","sessionId":"s","message":{"role":"user","content":[
    {"type":"tool_result","tool_use_id":"c1","content":${quoted(GIVEN)}}]}}`,
  ],
  codex: [
    `{"type":"session_meta","payload":{"id":"s"}}`,
    `{"type":"response_item","payload":{"type":"function_call","call_id":"c1","name":"f","arguments":${quoted(ASKED)}}}`,
    `{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":${quoted(GIVEN)}}}`,
  ],
  atif: [
    `{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"a","version":"1"},"steps":[{"step_id":1,"source":"agent","message":"",
    "tool_calls":[{"tool_call_id":"c1","function_name":"f","arguments":${ASKED}}],
    "observation":{"results":[{"source_call_id":"c1","content":${quoted(GIVEN)}}]}}]}`,
  ],
};

test.each(Object.entries(LOGS))(
  "%s: ids that are longer than JavaScript's numbers keep their digits",
  async (name, lines) => {
    const text = lines.map((line) => line.replaceAll("\n", "")).join("\n");
    const { records } = await recordsOfText(IMPORT_FORMATS[name] as ImportFormat, text);
    const steps = assemble(records).flatMap(({ conversations }) =>
      conversations.flatMap((run) => run.steps),
    );
    const called = steps.find(({ label }) => label === "tool_call");
    const gave = steps.find(({ label }) => label === "tool_output");
    expect(called?.payload_started?.["args"]).toEqual({ user: ID });
    expect(JSON.stringify(gave?.payload_completed?.["result"])).toContain(ID);
  },
);
