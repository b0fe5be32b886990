import { readFileSync } from "node:fs";
import type { Run, Session, SpanRecord, Step } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordOf } from "../testing/record-of.ts";
import { assemble } from "./assemble.ts";
import { recordsFromSession } from "./records-from-session.ts";

const fixtures = new URL("../../schema/fixtures/", import.meta.url);
const documents = ["v0-seed-000.json", "v0-folded-output.json", "v1-0.json"].map(
  (name) => JSON.parse(readFileSync(new URL(name, fixtures), "utf8")) as Session,
);

const text = fc.string({ unit: "grapheme", maxLength: 20 });
const id = fc.oneof(
  fc.constantFrom("a", "b", "r1/a", "__proto__", "constructor"),
  text.filter((one) => one !== ""),
);
const traceId = fc.constantFrom(
  "0af7651916cd43dd8448eb211c80319c",
  "f".repeat(32),
  "0".repeat(32),
  "no id",
);
const spanId = fc.constantFrom("b7ad6b7169203331", "00f067aa0ba902b7", "0".repeat(16), "no id");
const time = fc.constantFrom(
  "2026-01-01T00:00:00.000Z",
  "2026-01-01T00:00:01.500Z",
  "yesterday",
  "",
);
const payload = fc.dictionary(
  fc.oneof(
    text,
    fc.constantFrom(
      "text",
      "model",
      "input",
      "name",
      "args",
      "result",
      "call_id",
      "function_calls",
    ),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const some = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const step = fc.record(
  {
    step_id: id,
    label: fc.constantFrom(
      "assistant_call",
      "tool_call",
      "tool_output",
      "user_message",
      "thought",
      "new",
    ),
    depends_on: fc.oneof(id, fc.array(id, { maxLength: 3 })),
    started_at: time,
    ended_at: time,
    status: fc.constantFrom("ok", "error", "running"),
    origin: fc.constantFrom("recorded", "derived"),
    trace_id: traceId,
    span_id: spanId,
    parent_step_id: id,
    payload_started: payload,
    payload_completed: payload,
    usage: fc.record({ input_tokens: fc.nat() }),
    error: fc.record({ message: text }),
    edges: fc.array(
      fc.record({ to: id, type: id, origin: fc.constantFrom("declared", "observed") }),
    ),
    attributes: payload,
    own: fc.jsonValue(),
  },
  { requiredKeys: ["step_id", "label"] },
) as fc.Arbitrary<Step>;
const run = fc.record(
  {
    conversation_id: id,
    trace_id: traceId,
    span_id: spanId,
    started_at: time,
    status: fc.constantFrom("completed", "error", "running"),
    agent: text,
    steps: fc.array(step, { maxLength: 5 }),
  },
  { requiredKeys: ["conversation_id", "steps"] },
) as fc.Arbitrary<Run>;
const anySession = fc
  .record({
    session_id: id,
    revision: some(fc.nat()),
    title: some(text),
    resource: some(payload),
    own: some(fc.jsonValue()),
    conversations: fc.array(run, { maxLength: 4 }),
  })
  .map((session) => JSON.parse(JSON.stringify(session)) as Session);

/** The document that spans give, whatever order they come in, some of them twice. */
function retold(records: readonly SpanRecord[]): readonly string[] {
  return assemble([...records, ...records.slice(0, 3)].reverse()).map((one) => canonicalJson(one));
}

test("any document comes back from its spans as it was", () => {
  fc.assert(
    fc.property(anySession, (session) => {
      expect(retold(recordsFromSession(session))).toEqual([canonicalJson(session)]);
    }),
  );
});

test.each(documents)("$session_id comes back from its spans as it was", (session) => {
  expect(retold(recordsFromSession(session))).toEqual([canonicalJson(session)]);
});

const call = recordOf({
  id: "a",
  attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
  content: {
    "gen_ai.input.messages": [{ role: "user", parts: [{ type: "text", content: "Hi" }] }],
  },
});
const later = recordOf({
  id: "b",
  trace: "2",
  at: 9,
  attributes: { "gen_ai.operation.name": "chat" },
});

test("spans that are there themselves count, and a document adds the runs that have none", () => {
  const [first] = assemble([call]) as [Session];
  const [both] = assemble([call, later]) as [Session];
  const told = recordsFromSession(first);
  expect(assemble([call, ...told])).toEqual([first]);
  const [joined] = assemble([later, ...told]) as [Session];
  const stepsOf = ({ conversations }: Session) => conversations.map(({ steps }) => steps);
  expect(stepsOf(joined)).toEqual(stepsOf(both));
  expect(joined.totals).toEqual(both.totals);
});

test("of two versions of a document the later one counts", () => {
  const [first] = assemble([call]) as [Session];
  const [both] = assemble([call, later]) as [Session];
  const records = [...recordsFromSession(both), ...recordsFromSession(first)];
  expect(retold(records)).toEqual([canonicalJson(both)]);
});

test("backends find a model call, its tokens and messages, a tree, and what a step rests on", () => {
  const usage = { "gen_ai.usage.input_tokens": 3 };
  const [session] = assemble([{ ...call, attributes: { ...call.attributes, ...usage } }]) as [
    Session,
  ];
  const records = recordsFromSession(session);
  const model = records.find(({ spanId }) => spanId === call.spanId);
  expect(model).toMatchObject({
    name: "chat m",
    kind: "client",
    startTimeUnixNano: call.startTimeUnixNano,
    endTimeUnixNano: call.endTimeUnixNano,
    attributes: {
      "session.id": "s",
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": 3,
    },
    content: call.content && {
      "gen_ai.input.messages": `[${call.content["gen_ai.input.messages"]}]`,
    },
  });
  const question = records.find(
    ({ attributes }) => attributes["thoughtflow.step.label"] === "user_message",
  );
  expect(question?.parentSpanId).toBe(call.spanId);
});
