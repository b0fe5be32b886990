import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { contentOfSpan, exporter, spanNamed, tree } from "../testing/told-spans.ts";
import {
  activeRun,
  activeSession,
  activeStep,
  assistantMessage,
  memoryWrite,
  recordStep,
  snapshot,
  userMessage,
  withRun,
  withSession,
  withStep,
  withToolCall,
} from "./index.ts";
import { contentAttributesOf, contentOf } from "./internal.ts";

test("a session's run with its steps is one trace, and every span says where it belongs", async () => {
  await withSession({ id: "sess_1", title: "Weather", tags: ["demo"], user: "ann" }, () =>
    withRun(
      { id: "run_1", agent: "weather", trigger: "user_message", channel: "text" },
      async () => {
        const question = userMessage("How is it in Canberra?", { id: "u1" });
        await withStep({ label: "node", name: "plan", dependsOn: question }, async () => {
          await withToolCall(
            { name: "get_weather", args: { city: "Canberra" }, callId: "call_1" },
            async () => ({ tempC: 13 }),
          );
        });
        assistantMessage("13 °C");
      },
    ),
  );
  expect(tree()).toEqual([
    {
      "invoke_agent weather": [
        "user_message",
        { "node plan": ["execute_tool get_weather"] },
        "assistant_message",
      ],
    },
  ]);
  const place = {
    "session.id": "sess_1",
    "gen_ai.conversation.id": "sess_1",
    "thoughtflow.run.id": "run_1",
  };
  expect(spanNamed("invoke_agent weather").attributes).toEqual({
    ...place,
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "weather",
    "thoughtflow.run.trigger": "user_message",
    "thoughtflow.run.channel": "text",
    "thoughtflow.session.title": "Weather",
    "thoughtflow.session.tags": ["demo"],
    "user.id": "ann",
  });
  expect(spanNamed("execute_tool get_weather").attributes).toEqual({
    ...place,
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "get_weather",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": "call_1",
    "thoughtflow.step.label": "tool_call",
  });
  expect(spanNamed("node plan").attributes).toEqual({
    ...place,
    "thoughtflow.step.label": "node",
    "thoughtflow.depends_on": ["u1"],
  });
  expect(contentOfSpan("execute_tool get_weather")).toEqual({
    "gen_ai.tool.call.arguments": { city: "Canberra" },
    "gen_ai.tool.call.result": { tempC: 13 },
  });
  expect(contentOfSpan("user_message")).toEqual({
    "thoughtflow.step.started": { text: "How is it in Canberra?" },
    "thoughtflow.step.completed": { ok: true },
  });
  expect(contentOfSpan("assistant_message")).toEqual({
    "thoughtflow.step.completed": { text: "13 °C" },
  });
});

test("concurrent runs and steps keep apart what is theirs", async () => {
  const runs = await Promise.all(
    ["a", "b", "c"].map((name) =>
      withRun({ name, session: `sess_${name}` }, async (run) => {
        await Promise.all(
          [3, 1, 2].map((ms) =>
            withStep({ label: "node", name: `${name}${ms}` }, async (step) => {
              await new Promise((resolve) => setTimeout(resolve, ms));
              expect(activeStep()).toBe(step);
              expect(activeRun()).toBe(run);
              expect(activeSession()?.id).toBe(`sess_${name}`);
              await withStep({ label: "generic", name: `in ${name}${ms}` }, async () => ms);
            }),
          ),
        );
        return run;
      }),
    ),
  );
  for (const { id, spanContext } of runs) {
    const own = exporter
      .getFinishedSpans()
      .filter((span) => span.attributes["thoughtflow.run.id"] === id);
    expect(own.map((span) => span.spanContext().traceId)).toEqual(
      Array(7).fill(spanContext?.traceId),
    );
  }
  for (const name of ["a", "b", "c"]) {
    for (const ms of [1, 2, 3]) {
      expect(spanNamed(`generic in ${name}${ms}`).parentSpanContext?.spanId).toBe(
        spanNamed(`node ${name}${ms}`).spanContext().spanId,
      );
    }
  }
});

test("ids that nobody gave come from the spans, and a made-up session id is no conversation's", () => {
  withSession({}, (session) => {
    withRun({}, (run) => {
      const step = recordStep({ label: "generic", name: "x" });
      const root = run.spanContext?.spanId;
      expect(session.id).toMatch(/^s_[0-9a-f]{32}$/);
      expect(run.id).toBe(`r_${root}`);
      expect(step).toMatchObject({
        id: `s_${step.spanContext?.spanId}`,
        runId: run.id,
        sessionId: session.id,
      });
    });
    expect(spanNamed("invoke_agent").attributes["session.id"]).toBe(session.id);
  });
  expect(spanNamed("invoke_agent").attributes).not.toHaveProperty("gen_ai.conversation.id");
  expect(spanNamed("generic x").attributes).not.toHaveProperty("thoughtflow.step.id");
});

test("a confirmation inside an open run is a second user message of that run", () => {
  withRun({ agent: "memo" }, () => {
    userMessage("remember this");
    assistantMessage("Shall I?");
    userMessage("yes");
    memoryWrite({ key: "user.base_location", value: "Canberra_AU", name: "mem_add" });
  });
  expect(tree()).toEqual([
    { "invoke_agent memo": ["user_message", "assistant_message", "user_message", "upsert_memory"] },
  ]);
  expect(contentOfSpan("upsert_memory")).toEqual({
    "thoughtflow.step.started": {
      name: "mem_add",
      args: { key: "user.base_location", value: "Canberra_AU" },
    },
  });
});

test("a step outside any run gets a run of its own, which ends with it", async () => {
  const failed = new Error("alone");
  await withStep({ label: "node", name: "alone" }, async () => Promise.reject(failed)).catch(
    () => {},
  );
  userMessage("hello");
  expect(tree()).toEqual([{ invoke_agent: ["node alone"] }, { invoke_agent: ["user_message"] }]);
  const roots = exporter.getFinishedSpans().filter(({ name }) => name === "invoke_agent");
  expect(roots.map(({ attributes }) => attributes["thoughtflow.origin"])).toEqual([
    "derived",
    "derived",
  ]);
  expect(roots.map(({ status }) => status.code)).toEqual([
    SpanStatusCode.ERROR,
    SpanStatusCode.UNSET,
  ]);
});

test("a run inside a run is a sub-agent: a step of the outer run; of another session it is its own", () => {
  withRun({ agent: "chief", session: "s1" }, (chief) => {
    withRun({ agent: "scout", initialState: { goal: "look" } }, (scout) => {
      expect(scout.id).toBe(`s_${scout.spanContext?.spanId}`);
      scout.setFinalState({ found: 3 });
      userMessage("from the chief");
    });
    withRun({ agent: "clerk", session: "s2" }, (clerk) => {
      expect(clerk.id).toBe(`r_${clerk.spanContext?.spanId}`);
    });
    expect(spanNamed("invoke_agent scout").attributes).toMatchObject({
      "thoughtflow.run.id": chief.id,
      "thoughtflow.step.label": "agent",
      "gen_ai.agent.name": "scout",
    });
  });
  expect(contentOfSpan("invoke_agent scout")).toEqual({
    "thoughtflow.step.started": { name: "scout", args: { goal: "look" } },
    "thoughtflow.step.completed": { result: { found: 3 } },
  });
  expect(spanNamed("user_message").parentSpanContext?.spanId).toBe(
    spanNamed("invoke_agent scout").spanContext().spanId,
  );
});

test("a run under another library's span stays in its trace", () => {
  const tracer = trace.getTracer("http");
  const server = tracer.startSpan("POST /chat");
  context.with(trace.setSpan(context.active(), server), () => withRun({ agent: "a" }, () => {}));
  server.end();
  expect(tree()).toEqual([{ "POST /chat": ["invoke_agent a"] }]);
});

test("a run keeps its first and its last state, also when both are one object", async () => {
  const state = { pages: 0 };
  await withRun({ workflow: "report", initialState: state }, async (run) => {
    run.setFinalState(state);
    await withStep({ label: "node", name: "write", input: state }, async () => {
      await new Promise((resolve) => setTimeout(resolve));
      state.pages = 1;
    });
    state.pages = 2;
    activeRun()?.setFinalState(state);
  });
  expect(spanNamed("invoke_workflow report").attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_workflow",
    "gen_ai.workflow.name": "report",
  });
  expect(contentOfSpan("invoke_workflow report")).toEqual({
    "thoughtflow.run.initial_state": { pages: 0 },
    "thoughtflow.run.final_state": { pages: 2 },
  });
  expect(contentOfSpan("node write")).toEqual({
    "thoughtflow.step.started": { name: "write", args: { pages: 0 } },
  });
});

test("what is said of a session later is a span of no duration that is no step", () => {
  withSession({ id: "sess_9" }, (session) => {
    withRun({ agent: "a" }, () => session.setTitle("Better"));
    session.setTags(["x", "y"]);
    session.setUser("bob");
    session.end("aborted");
    withRun({ agent: "b" }, () => {});
  });
  const moments = exporter.getFinishedSpans().filter(({ name }) => name === "thoughtflow.session");
  const ids = { "session.id": "sess_9", "gen_ai.conversation.id": "sess_9" };
  expect(moments.map(({ attributes }) => attributes)).toEqual([
    { ...ids, "thoughtflow.session.title": "Better" },
    { ...ids, "thoughtflow.session.tags": ["x", "y"] },
    { ...ids, "user.id": "bob" },
    { ...ids, "thoughtflow.session.status": "aborted" },
  ]);
  expect(moments.map(({ duration }) => duration)).toEqual(Array(4).fill([0, 0]));
  expect(spanNamed("invoke_agent b").attributes).toMatchObject({
    "thoughtflow.session.title": "Better",
    "thoughtflow.session.tags": ["x", "y"],
    "user.id": "bob",
  });
});

test("a snapshot is one step for each content in a run, by the content's hash", () => {
  const ids = ["one", "two"].map((name) =>
    withRun({ agent: name }, () => [
      snapshot({ kind: "policy", content: "Be kind.", producedAt: 1693660296442 }).id,
      snapshot({ kind: "policy", content: "Be kind." }).id,
      snapshot({ kind: "tool.schemas", content: [{ type: "function", function: { name: "f" } }] })
        .id,
      snapshot({ kind: "channel", content: { channel: "text" }, version: "v1" }).id,
    ]),
  );
  expect(ids[0]).toEqual(ids[1]);
  expect(ids[0]).toEqual([
    "snp_policy_5499befb38dbf3fc",
    "snp_policy_5499befb38dbf3fc",
    expect.stringMatching(/^snp_tools_[0-9a-f]{16}$/),
    expect.stringMatching(/^snp_channel_[0-9a-f]{16}$/),
  ]);
  const payloads = exporter.getFinishedSpans().flatMap((span) => {
    const content = contentOf(span);
    const label = span.attributes["thoughtflow.step.label"];
    if (content === undefined || label === undefined) return [];
    return [[label, JSON.parse(String(contentAttributesOf(content)["thoughtflow.step.started"]))]];
  });
  expect(payloads.slice(0, 3)).toEqual([
    [
      "policy.snapshot",
      {
        version: "5499befb38dbf3fc",
        produced_at: 1693660296442,
        content_preview: "Be kind.",
      },
    ],
    [
      "tool.schemas.snapshot",
      {
        version: ids[0]?.[2]?.slice("snp_tools_".length),
        count: 1,
        names: ["f"],
        schemas_preview: '[{"type":"function","name":"f"}]',
        schemas: [{ type: "function", name: "f" }],
      },
    ],
    ["channel.preamble", { version: "v1", context: { channel: "text" } }],
  ]);
  expect(payloads).toHaveLength(6);
});

test("a model call of the program's own has the model in its name and its own payload", () => {
  withStep(
    {
      label: "assistant_call",
      name: "local.generate",
      model: "llama",
      input: { prompt_provenance: { parts: [] } },
      attributes: { "gen_ai.usage.input_tokens": 12 },
    },
    () => "Hello",
  );
  expect(spanNamed("chat llama").attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "llama",
    "gen_ai.usage.input_tokens": 12,
  });
  expect(contentOfSpan("chat llama")).toEqual({
    "thoughtflow.step.started": { name: "local.generate", prompt_provenance: { parts: [] } },
    "thoughtflow.step.completed": { text: "Hello" },
  });
});

test.each([
  [() => withRun({ trigger: 7 as never }, () => {}), 'withRun: "trigger" must be a string, got 7'],
  [
    () => withSession({ tags: ["a", 1] as never }, () => {}),
    'withSession: "tags" must be a list of strings, got ["a",1]',
  ],
  [
    () => recordStep({} as never),
    'recordStep: "label" must be a string that is not empty, got undefined',
  ],
  [
    () => recordStep({ label: "node", dependsOn: { on: "x" } as never }),
    'recordStep: "dependsOn" must be a step handle, a step id, { on, type }, or a list of these, got {"on":"x"}',
  ],
  [() => withStep({ label: "node" }, 5 as never), 'withStep: "fn" must be a function, got 5'],
  [
    () => withRun(undefined as never, () => {}),
    "withRun: the options must be an object, got undefined",
  ],
])("a wrong argument is one error that names it (%#)", (call, message) => {
  expect(call).toThrow(new TypeError(message));
});
