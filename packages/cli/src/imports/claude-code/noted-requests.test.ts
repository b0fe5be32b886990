import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { claudeCode } from "./claude-code.ts";

let second = 0;
const line = (record: object) => ({
  sessionId: "s",
  timestamp: new Date(Date.UTC(2026, 10, 23) + ++second * 1_000).toISOString(),
  ...record,
});
const shape = (shapeHash: string, system: string, tool: string) =>
  line({
    type: "api-request-shape",
    shapeHash,
    shape: {
      system: [
        { type: "text", text: "You are an agent." },
        { type: "text", text: system },
      ],
      tools: [{ name: tool, description: "Runs it.", input_schema: { type: "object" } }],
    },
  });
const request = (id: string, shapeHash: string) => line({ type: "api-request", id, shapeHash });
const said = (uuid: string, content: unknown) =>
  line({ type: "user", uuid, message: { role: "user", content } });
const answered = (uuid: string, id: string, requestRef: string) =>
  line({
    type: "assistant",
    uuid,
    requestRef,
    message: { id, role: "assistant", model: "m", content: [{ type: "text", text: uuid }] },
  });

/** What each call was given beside messages. */
async function settingsOf(lines: readonly object[]) {
  const text = lines.map((one) => JSON.stringify(one)).join("\n");
  const { records, warnings } = await recordsOfText(claudeCode, text);
  const calls = records.flatMap((record) =>
    record.type === "span_end" && record.name === "chat m" ? [record] : [],
  );
  const settings = calls.map(({ content = {}, attributes }) => [
    attributes["gen_ai.response.id"],
    content["gen_ai.system_instructions"],
    content["gen_ai.tool.definitions"],
  ]);
  return { settings, warnings };
}

const systemOf = (text: string) =>
  JSON.stringify([{ type: "text", content: `You are an agent.\n\n${text}` }]);
const toolOf = (name: string) => [
  JSON.stringify({
    type: "function",
    name,
    description: "Runs it.",
    parameters: { type: "object" },
  }),
];

test("a call has the system prompt and the tools of the request that its answer names", async () => {
  const { settings, warnings } = await settingsOf([
    said("u1", "Go."),
    shape("h1", "Look.", "Bash"),
    request("r1", "h1"),
    answered("a1", "m1", "r1"),
    answered("a2", "m1", "r1"),
    said("u2", "On."),
    request("r2", "h2"),
    shape("h2", "My key is sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.", "Read"),
    answered("a3", "m2", "r2"),
    said("u3", "More."),
    answered("a4", "m3", "r3"),
    said("u4", "Last."),
    request("r4", "h1"),
    answered("a5", "m4", "r4"),
  ]);
  expect(settings).toEqual([
    ["m1", systemOf("Look."), toolOf("Bash")],
    ["m2", expect.stringMatching(/My key is (?!.*AAAA)/), toolOf("Read")],
    ["m3", undefined, undefined],
    ["m4", systemOf("Look."), toolOf("Bash")],
  ]);
  expect(warnings).toEqual([]);
});

test("of very many shapes those used last are known, and of requests those asked last", async () => {
  const many = (count: number, make: (n: number) => object) =>
    Array.from({ length: count }, (_, n) => make(n));
  const { settings, warnings } = await settingsOf([
    said("u1", "Go."),
    ...many(65, (n) => shape(`h${n}`, `Prompt ${n}.`, "Bash")),
    request("forgotten shape", "h0"),
    answered("a1", "m1", "forgotten shape"),
    said("u2", "On."),
    request("forgotten", "h64"),
    ...many(1_000, (n) => request(`r${n}`, "h64")),
    answered("a2", "m2", "forgotten"),
    said("u3", "More."),
    answered("a3", "m3", "r0"),
  ]);
  expect(settings.map(([id, system]) => [id, system])).toEqual([
    ["m1", undefined],
    ["m2", undefined],
    ["m3", systemOf("Prompt 64.")],
  ]);
  expect(warnings).toEqual([
    "Left out: 999 × request of which no answer was written: nobody says what it took.",
  ]);
});
