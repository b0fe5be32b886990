import { expect, test } from "vitest";
import { asks, callOf, gives, recordOf, say } from "../testing/record-of.ts";
import { sessionOf, storyOf } from "../testing/story-of.ts";

const rules = say("system", "Be brief.");
const question = say("user", "Weather in Canberra and Perth?");
const wants = say(
  "assistant",
  asks("c1", "weather", { city: "Canberra" }),
  asks("c2", "weather", { city: "Perth" }),
);
const outputs = [gives("c1", '{"temp":13}'), gives("c2", "sunny")];
const answer = say("assistant", "13 degrees; sunny.");
const derived = { "thoughtflow.origin": "derived" };
const loop = [
  recordOf({ id: "f", until: 9, attributes: derived }),
  callOf({ id: "a", parent: "f", at: 1 }, [rules, question], [wants]),
  callOf({ id: "b", parent: "f", at: 3 }, [rules, question, wants, ...outputs], [answer]),
];

test("a tool loop is told by the messages of its two calls", () => {
  expect(storyOf(loop)).toEqual([
    "run r_f completed",
    "policy.snapshot snp_policy",
    "user_message s_a.u1",
    "assistant_call s_a <- snp_policy s_a.u1",
    "tool_call s_a.t1 <- s_a",
    "tool_call s_a.t2 <- s_a",
    "tool_output s_a.t1_out <- s_a.t1",
    "tool_output s_a.t2_out <- s_a.t2",
    "assistant_call s_b <- snp_policy s_a.t1_out s_a.t2_out",
    "assistant_message s_b.m1 <- s_b",
  ]);
});

const searched = [
  { type: "server_tool_call", id: "mcp_1", name: "ask", server_tool_call: { type: "mcp", q: 1 } },
  {
    type: "server_tool_call_response",
    id: "mcp_1",
    server_tool_call_response: { type: "mcp", output: "yes" },
  },
];

test("tools that the provider ran are told with their outputs", () => {
  const shell = [...say("assistant", asks("c1", "shell", {})).parts, ...gives("c1", "a").parts];
  const whole = {
    role: "assistant",
    parts: [...shell, ...searched, { type: "text", content: "One." }],
  };
  const call = callOf({ id: "a", at: 1 }, [question], [whole]);
  expect(storyOf([call])).toEqual([
    "run r_a completed",
    "user_message s_a.u1",
    "assistant_call s_a <- s_a.u1",
    "tool_call s_a.t1 <- s_a",
    "tool_call s_a.p1 <- s_a",
    "tool_output s_a.t1_out <- s_a.t1",
    "tool_output s_a.p1_out <- s_a.p1",
    "assistant_message s_a.m1 <- s_a",
  ]);
  const steps = sessionOf([call]).conversations[0]?.steps ?? [];
  expect(steps.map((step) => step.payload_completed?.["text"])).toEqual([
    undefined,
    "One.",
    ...Array(4).fill(undefined),
    "One.",
  ]);
  expect([steps[3], steps[5]]).toMatchObject([
    { payload_started: { name: "ask", args: { q: 1 }, call_id: "mcp_1" } },
    { payload_completed: { result: { output: "yes" } } },
  ]);
});

test("a tool that the provider ran and that failed is an error, whatever the provider calls it", () => {
  const failed = (id: string, error: unknown) => [
    { type: "server_tool_call", id, name: "ask", server_tool_call: { type: "mcp" } },
    {
      type: "server_tool_call_response",
      id,
      server_tool_call_response: { type: "mcp", error },
    },
  ];
  const content = [{ type: "text", text: "No such page." }];
  const parts = [
    ...failed("mcp_1", { type: "mcp_tool_execution_error", content }),
    ...failed("mcp_2", { type: "http_error", code: 500, message: "Internal" }),
    ...failed("mcp_3", "Timed out."),
  ];
  const call = callOf({ id: "a", at: 1 }, [question], [{ role: "assistant", parts }]);
  const steps = sessionOf([call]).conversations[0]?.steps ?? [];
  const told = [
    { type: "mcp_tool_execution_error", message: "No such page." },
    { type: "http_error", message: "Internal" },
    { type: "_OTHER", message: "Timed out." },
  ];
  expect(steps.slice(2, 5).map(({ label, status, error }) => ({ label, status, error }))).toEqual(
    told.map((error) => ({ label: "tool_call", status: "error", error })),
  );
  expect(steps.slice(5).map((step) => [step.label, step.status, step.payload_completed])).toEqual(
    told.map((error) => ["tool_error", "error", { error }]),
  );
});

test("an answer of several items is known again where each is a message of its own", () => {
  const parts = [
    ...searched,
    { type: "text", content: "Working." },
    { type: "text", content: "Done." },
  ];
  const root = recordOf({ id: "f", until: 9, attributes: derived });
  const items = parts.map((part) => ({ role: "assistant", parts: [part] }));
  const more = say("user", "Thanks!");
  expect(
    storyOf([
      root,
      callOf({ id: "a", parent: "f", at: 1 }, [question], [{ role: "assistant", parts }]),
      callOf({ id: "b", parent: "f", at: 3 }, [question, ...items, more], [answer]),
    ]).slice(5),
  ).toEqual([
    "assistant_message s_a.m1 <- s_a",
    "assistant_message s_a.m2 <- s_a",
    "user_message s_b.u2 <- s_a.m2",
    "assistant_call s_b <- s_b.u2",
    "assistant_message s_b.m1 <- s_b",
  ]);
});

test("a later turn points at what was said before and says only what is new", () => {
  const more = say("user", "Thanks!");
  const second = [
    recordOf({ id: "e", trace: "2", at: 10, until: 12, attributes: derived }),
    callOf(
      { id: "c", trace: "2", parent: "e", at: 10.5 },
      [rules, question, wants, ...outputs, answer, more],
      [say("assistant", "Welcome.")],
    ),
  ];
  expect(storyOf([...loop, ...second]).slice(10)).toEqual([
    "run r_e completed",
    "policy.snapshot snp_policy",
    "user_message s_c.u2 <- s_b.m1",
    "assistant_call s_c <- snp_policy s_c.u2",
    "assistant_message s_c.m1 <- s_c",
  ]);
  const call = sessionOf([...loop, ...second]).conversations[1]?.steps[2];
  expect(call?.payload_started?.["input"]).toEqual(["s_000000000000000b", "s_000000000000000c.u2"]);
});

test("a document grows with the conversation and not with its square", () => {
  const text = "x".repeat(300);
  const sizeOf = (turns: number): number => {
    const history = [say("user", `${text} 0`)];
    const records = [];
    for (let turn = 0; turn < turns; turn++) {
      const reply = say("assistant", `${text} answer ${turn}`);
      records.push(
        callOf({ id: `a${turn}`, trace: `${turn + 1}`, at: turn }, [...history], [reply]),
      );
      history.push(reply, say("user", `${text} ${turn + 1}`));
    }
    return JSON.stringify(sessionOf(records)).length;
  };
  const [small, large] = [sizeOf(10), sizeOf(80)];
  expect(large / small).toBeLessThan(8.5);
});

test("equal words that begin another run are another message", () => {
  const hi = say("user", "hi");
  expect(
    storyOf([
      callOf({ id: "a", trace: "1", at: 1 }, [hi], [say("assistant", "hello")]),
      callOf({ id: "b", trace: "2", at: 3 }, [hi], [say("assistant", "hello")]),
      callOf({ id: "c", trace: "3", at: 5 }, [hi, say("assistant", "hello"), hi], [answer]),
    ]),
  ).toEqual([
    "run r_a completed",
    "user_message s_a.u1",
    "assistant_call s_a <- s_a.u1",
    "assistant_message s_a.m1 <- s_a",
    "run r_b completed",
    "user_message s_b.u1",
    "assistant_call s_b <- s_b.u1",
    "assistant_message s_b.m1 <- s_b",
    "run r_c completed",
    "user_message s_c.u2 <- s_b.m1",
    "assistant_call s_c <- s_c.u2",
    "assistant_message s_c.m1 <- s_c",
  ]);
});

test("a failed call that is sent again is a retry and no second question", () => {
  expect(
    storyOf([
      recordOf({ id: "f", until: 9 }),
      callOf({ id: "a", parent: "f", at: 1, error: "overloaded" }, [question]),
      callOf({ id: "b", parent: "f", at: 3 }, [question], [answer]),
    ]),
  ).toEqual([
    "run r_f completed",
    "user_message s_a.u1",
    "assistant_call s_a <- s_a.u1",
    "assistant_call s_b <- s_a.u1 s_a",
    "assistant_message s_b.m1 <- s_b",
  ]);
});

test("history that nobody saw happen becomes steps without times", () => {
  const records = [
    callOf(
      { id: "a", at: 1 },
      [question, wants, ...outputs, answer, say("user", "And?")],
      [answer],
    ),
  ];
  expect(storyOf(records)).toEqual([
    "run r_a completed",
    "user_message s_a.u1",
    "tool_call s_a.h2",
    "tool_call s_a.h3",
    "tool_output s_a.h2_out <- s_a.h2",
    "tool_output s_a.h3_out <- s_a.h3",
    "assistant_message s_a.h6",
    "user_message s_a.u2 <- s_a.h6",
    "assistant_call s_a <- s_a.u1 s_a.h2_out s_a.h3_out s_a.h6 s_a.u2",
    "assistant_message s_a.m1 <- s_a",
  ]);
  const [, call] = sessionOf(records).conversations[0]?.steps ?? [];
  expect(call).not.toHaveProperty("started_at");
});

test("a window over an old history finds its place again", () => {
  const turns = ["one", "two", "three"].map((word) => say("user", word));
  const replies = ["1", "2", "3"].map((word) => say("assistant", word));
  const [one, two, three] = turns as [typeof question, typeof question, typeof question];
  const [r1, r2, r3] = replies as [typeof question, typeof question, typeof question];
  const story = storyOf([
    callOf({ id: "a", trace: "1", at: 1 }, [one], [r1]),
    callOf({ id: "b", trace: "2", at: 3 }, [one, r1, two], [r2]),
    callOf({ id: "c", trace: "3", at: 5 }, [r1, two, r2, three], [r3]),
  ]);
  expect(story.slice(-3)).toEqual([
    "user_message s_c.u2 <- s_b.m1",
    "assistant_call s_c <- s_c.u2",
    "assistant_message s_c.m1 <- s_c",
  ]);
});

test("a recorded tool execution takes the place of the derived call and output", () => {
  const tool = recordOf({
    id: "d",
    parent: "f",
    at: 2,
    until: 2.5,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "weather",
      "gen_ai.tool.call.id": "c1",
    },
  });
  expect(storyOf([...loop, tool]).slice(3, 9)).toEqual([
    "assistant_call s_a <- snp_policy s_a.u1",
    "tool_call s_a.t2 <- s_a",
    "tool_call s_d <- s_a",
    "tool_output s_d_out <- s_d",
    "tool_output s_a.t2_out <- s_a.t2",
    "assistant_call s_b <- snp_policy s_d_out s_a.t2_out",
  ]);
  const steps = sessionOf([...loop, tool]).conversations[0]?.steps ?? [];
  expect(steps.find((step) => step.step_id === "s_000000000000000d")).toMatchObject({
    aliases: ["s_000000000000000a.t1"],
    payload_started: { name: "weather", args: { city: "Canberra" }, call_id: "c1" },
    duration_ms: 500,
  });
});

test("a failed tool gives a tool_error", () => {
  const tool = recordOf({
    id: "d",
    parent: "f",
    at: 2,
    error: "no such city",
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "weather",
      "gen_ai.tool.call.id": "c2",
      "error.type": "RangeError",
    },
  });
  const steps = sessionOf([...loop, tool]).conversations[0]?.steps ?? [];
  expect(steps.find((step) => step.label === "tool_error")).toMatchObject({
    step_id: "s_000000000000000d_out",
    payload_completed: { error: { type: "RangeError", message: "no such city" } },
  });
});

test("a response id continues a call whose history the provider keeps", () => {
  const records = [
    callOf(
      { id: "a", trace: "1", at: 1, attributes: { "gen_ai.response.id": "resp_1" } },
      [question],
      [answer],
    ),
    callOf(
      {
        id: "b",
        trace: "2",
        at: 3,
        attributes: { "gen_ai.request.previous_response.id": "resp_1" },
      },
      [say("user", "And tomorrow?")],
      [answer],
    ),
  ];
  expect(storyOf(records).slice(4)).toEqual([
    "run r_b completed",
    "user_message s_b.u1 <- s_a.m1",
    "assistant_call s_b <- s_a s_b.u1",
    "assistant_message s_b.m1 <- s_b",
  ]);
  const call = sessionOf(records).conversations[1]?.steps[1];
  expect(call?.edges?.[0]).toEqual({
    to: "s_000000000000000a",
    type: "continues",
    origin: "observed",
    evidence: "resp_1",
  });
});

test("without content the same steps stand, without their words", () => {
  const bare = (record: (typeof loop)[number], structure: object) => ({
    ...record,
    content: {},
    attributes: { ...record.attributes, "thoughtflow.messages": JSON.stringify(structure) },
  });
  const [root, first, second] = loop as [(typeof loop)[0], (typeof loop)[0], (typeof loop)[0]];
  const text = (role: string, length: number) => ({ role, parts: [{ type: "text", length }] });
  const records = [
    root,
    bare(first, {
      input: [text("system", 9), text("user", 30)],
      output: [
        {
          role: "assistant",
          parts: ["c1", "c2"].map((id) => ({ type: "tool_call", id, name: "weather" })),
        },
      ],
    }),
    bare(second, {
      continues: "000000000000000a",
      known: 3,
      input: ["c1", "c2"].map((id) => ({
        role: "tool",
        parts: [{ type: "tool_call_response", id, length: 5 }],
      })),
      output: [text("assistant", 18)],
    }),
  ];
  expect(storyOf(records)).toEqual(
    storyOf(loop)
      .filter((line) => !line.startsWith("policy"))
      .map((line) => line.replace("snp_policy ", "")),
  );
  expect(JSON.stringify(sessionOf(records))).not.toContain("Canberra");
});

test("a step that rests on a run rests on what the run came to", () => {
  const step = recordOf({
    id: "d",
    trace: "2",
    at: 20,
    attributes: {
      "thoughtflow.step.label": "node",
      "thoughtflow.depends_on": ["r_000000000000000f"],
    },
  });
  expect(storyOf([...loop, step]).at(-1)).toBe("node s_d <- s_b.m1");
});
