import { checkSession } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { asks, callOf, type RecordWords, recordOf, say } from "../testing/record-of.ts";
import { sessionOf } from "../testing/story-of.ts";

const loop = recordOf({
  id: "f",
  until: 9,
  attributes: { "gen_ai.operation.name": "invoke_agent" },
});

/** A call of which no message is told. */
const call = (id: string, at: number, reason: string, more: Partial<RecordWords> = {}) =>
  recordOf({
    id,
    parent: "f",
    at,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "gpt-5-mini",
      "gen_ai.response.finish_reasons": [reason],
    },
    ...more,
  });

const tool = (id: string, at: number, content: RecordWords["content"] = {}) =>
  recordOf({
    id,
    parent: "f",
    at,
    attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather" },
    content,
  });

const restsOn = (records: Parameters<typeof sessionOf>[0]) => {
  const session = sessionOf(records);
  expect(checkSession(session)).toEqual([]);
  const steps = session.conversations.flatMap((run) => run.steps);
  return Object.fromEntries(
    steps.map(({ step_id: id, edges = [] }) => [
      id.replace(/^s_0*/, ""),
      edges.map(({ to, type, origin }) => `${type} ${to.replace(/^s_0*/, "")} ${origin}`),
    ]),
  );
};

test("tools of which no message tells ran for the call before them that ended for tools, and the next call reads them", () => {
  const given = { "gen_ai.tool.call.result": "sunny" };
  const records = [loop, call("a", 1, "tool_calls"), tool("b", 2, given), tool("c", 3)];
  expect(restsOn([...records, call("d", 5, "stop"), tool("e", 7)])).toEqual({
    a: [],
    b: ["requests a inferred"],
    b_out: ["returns b observed"],
    c: ["requests a inferred"],
    d: ["reads b_out inferred", "reads c inferred"],
    e: [],
  });
});

test("a call that only goes on from an answer reads what its tools gave", () => {
  const ids = (more: Record<string, string>) => ({
    attributes: { ...call("a", 1, "tool_call").attributes, ...more },
  });
  const first = call("a", 1, "tool_call", ids({ "gen_ai.response.id": "resp_1" }));
  const previous = { "gen_ai.request.previous_response.id": "resp_1" };
  const next = call("c", 5, "stop", ids({ ...previous, "gen_ai.response.id": "resp_2" }));
  expect(restsOn([loop, first, tool("b", 3), next])).toEqual({
    a: [],
    b: ["requests a inferred"],
    c: ["continues a observed", "reads b inferred"],
  });
});

test("of calls side by side nobody knows for which a tool ran", () => {
  const records = [
    loop,
    call("a", 1, "tool_use", { until: 4 }),
    call("b", 2, "tool_use", { until: 4 }),
    tool("c", 5),
  ];
  expect(restsOn(records)).toEqual({ a: [], b: [], c: [] });
});

test.for([
  [
    "three at once",
    [
      [1, 4],
      [1, 4],
      [2, 5],
    ],
  ],
  [
    "one that lasts while others come and go",
    [
      [1, 5.5],
      [2, 3],
      [4, 5],
    ],
  ],
  [
    "one after two at once",
    [
      [1, 3],
      [1, 3],
      [4, 5],
    ],
  ],
] as const)("nor later, whatever calls come: %s", ([, times]) => {
  const calls = times.map(([at, until], n) => call(`a${n}`, at, "tool_use", { until }));
  const edges = restsOn([loop, ...calls, tool("c", 6), call("d", 8, "stop")]);
  expect(edges).toEqual({ a0: [], a1: [], a2: [], c: [], d: [] });
});

test.for([
  [0.5, 9],
  [1.5, 1.7],
])(
  "a call beside them that ended for no tools, %j, asked for none and read nobody knows what",
  ([at = 0, until = 0]) => {
    const loop = [
      call("a", 1, "tool_calls"),
      tool("b", 3),
      call("c", 5, "tool_calls"),
      tool("d", 7),
    ];
    const edges = restsOn([
      ...loop,
      call("e", at, "stop", { until }),
      recordOf({ id: "f", until: 9 }),
    ]);
    const read = until === 9 ? [] : ["reads b inferred"];
    expect(edges).toMatchObject({
      b: ["requests a inferred"],
      c: read,
      d: ["requests c inferred"],
      e: [],
    });
  },
);

test("where messages tell what a call asked for, it asked for nothing else", () => {
  const wants = say("assistant", asks("c1", "time", { city: "Perth" }));
  const told = callOf({ id: "a", parent: "f", at: 1 }, [say("user", "Time?")], [wants]);
  const attributes = { ...told.attributes, "gen_ai.response.finish_reasons": ["tool_calls"] };
  expect(restsOn([loop, { ...told, attributes }, tool("b", 3)])["b"]).toEqual([]);
});

test("where the program says what one of its steps rests on, nothing is guessed of the others", () => {
  const declared = tool("b", 3);
  const attributes = {
    ...declared.attributes,
    "thoughtflow.depends_on": [`s_${"a".padStart(16, "0")}`],
  };
  const records = [loop, call("a", 1, "tool_calls"), { ...declared, attributes }, tool("c", 5)];
  expect(restsOn(records)["c"]).toEqual([]);
});
