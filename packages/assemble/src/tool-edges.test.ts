import { expect, test } from "vitest";
import { asks, callOf, gives, type RecordWords, recordOf, say } from "../testing/record-of.ts";
import { sessionOf, storyOf } from "../testing/story-of.ts";

const question = say("user", "Weather in Perth?");
const wants = say("assistant", asks("c1", "weather", { city: "Perth" }));
const answer = say("assistant", "Sunny.");
const derived = { "thoughtflow.origin": "derived" };

/** What an instrumentation writes of what a span rests on. */
const on = (...edges: readonly (readonly [id: string, type: string, origin: string])[]) => ({
  "thoughtflow.depends_on": edges.map(([id]) => id),
  "thoughtflow.depends_on.types": edges.map(([, type]) => type),
  "thoughtflow.depends_on.origins": edges.map(([, , origin]) => origin),
});

const linkTo = (id: string, type: string, origin = "observed") => ({
  traceId: "1".padStart(32, "0"),
  spanId: id.padStart(16, "0"),
  attributes: { "thoughtflow.link.type": type, "thoughtflow.edge.origin": origin },
});

const span = (id: string): string => `s_${id.padStart(16, "0")}`;

const tool = (words: RecordWords) =>
  recordOf({
    parent: "f",
    ...words,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "weather",
      "gen_ai.tool.call.id": "c1",
      ...words.attributes,
    },
  });

const root = recordOf({ id: "f", until: 9, attributes: derived });
const asking = callOf({ id: "a", parent: "f", at: 1 }, [question], [wants]);
const reading = (of: string) =>
  callOf(
    {
      id: "b",
      parent: "f",
      at: 6,
      attributes: on([`${span(of)}_out`, "reads", "observed"]),
      more: { links: [linkTo(of, "reads"), linkTo("a", "continues")] },
    },
    [question, wants, gives("c1", "sunny")],
    [answer],
  );

const edgesOf = (records: Parameters<typeof sessionOf>[0], id: string) =>
  sessionOf(records)
    .conversations.flatMap(({ steps }) => steps)
    .find(({ step_id }) => step_id === id)?.edges;

test("what a span says of its edges and what the messages tell is one edge", () => {
  const records = [
    root,
    asking,
    tool({
      id: "t",
      at: 3,
      attributes: on([span("a"), "requests", "observed"]),
      content: { "gen_ai.tool.call.result": "sunny" },
      more: { links: [linkTo("a", "requests")] },
    }),
    reading("t"),
  ];
  expect(storyOf(records)).toEqual([
    "run r_f completed",
    "user_message s_a.u1",
    "assistant_call s_a <- s_a.u1",
    "tool_call s_t <- s_a",
    "tool_output s_t_out <- s_t",
    "assistant_call s_b <- s_t_out",
    "assistant_message s_b.m1 <- s_b",
  ]);
  expect(edgesOf(records, span("t"))).toEqual([
    { to: span("a"), type: "requests", origin: "observed", evidence: "c1" },
  ]);
  expect(edgesOf(records, span("b"))).toEqual([
    { to: `${span("t")}_out`, type: "reads", origin: "observed", evidence: "c1" },
  ]);
});

test("a tool that was found by its arguments says that this was inferred", () => {
  const attributes = on([span("a"), "requests", "inferred"]);
  expect(edgesOf([root, asking, tool({ id: "t", at: 3, attributes })], span("t"))).toEqual([
    {
      to: span("a"),
      type: "requests",
      origin: "inferred",
      confidence: 0.9,
      evidence: "same name and arguments",
    },
  ]);
});

test("a tool that was tried again rests on its first try, and the model reads what the last one gave", () => {
  const records = [
    root,
    asking,
    tool({
      id: "t",
      at: 2,
      error: "busy",
      attributes: on([span("a"), "requests", "observed"]),
    }),
    tool({
      id: "u",
      at: 4,
      attributes: on([span("a"), "requests", "observed"], [span("t"), "retry_of", "observed"]),
      content: { "gen_ai.tool.call.result": "sunny" },
    }),
    reading("u"),
  ];
  expect(storyOf(records)).toEqual([
    "run r_f completed",
    "user_message s_a.u1",
    "assistant_call s_a <- s_a.u1",
    "tool_call s_t <- s_a",
    "tool_error s_t_out <- s_t",
    "tool_call s_u <- s_a s_t",
    "tool_output s_u_out <- s_u",
    "assistant_call s_b <- s_u_out",
    "assistant_message s_b.m1 <- s_b",
  ]);
});

test("an output under an id that no call has is that of the first call that waits, which is inferred", () => {
  const next = callOf(
    { id: "b", parent: "f", at: 6 },
    [question, wants, gives("other", "sunny")],
    [answer],
  );
  expect(edgesOf([root, asking, next], `${span("a")}.t1_out`)).toEqual([
    {
      to: `${span("a")}.t1`,
      type: "returns",
      origin: "inferred",
      confidence: 0.9,
      evidence: "order of calls",
    },
  ]);
});

test("executions of calls with the same id belong to the calls that they name", () => {
  const again = callOf(
    { id: "b", parent: "f", at: 3 },
    [question, wants, gives("c1", "dry")],
    [wants],
  );
  const records = [
    root,
    asking,
    tool({ id: "u", at: 4, attributes: on([span("b"), "requests", "observed"]) }),
    tool({ id: "t", at: 5, attributes: on([span("a"), "requests", "observed"]) }),
    again,
  ];
  expect(edgesOf(records, span("u"))?.map(({ to }) => to)).toEqual([span("b")]);
  expect(edgesOf(records, span("t"))?.map(({ to }) => to)).toEqual([span("a")]);
});

test("what was observed of a step that nobody has is no edge, and of another session's it is", () => {
  const elsewhere = `${"2".padStart(32, "0")}/${span("z")}`;
  const records = [
    callOf(
      {
        id: "a",
        attributes: on([span("y"), "reads", "observed"], [elsewhere, "continues", "observed"]),
      },
      [question],
      [answer],
    ),
  ];
  expect(edgesOf(records, span("a"))).toEqual([
    { to: `${span("a")}.u1`, type: "responds_to", origin: "observed" },
    { to: elsewhere, type: "continues", origin: "observed" },
  ]);
  expect(sessionOf(records).warnings).toBeUndefined();
});
