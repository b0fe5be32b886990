import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../testing/imported-records.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { pi } from "./pi/pi.ts";

type Lines = readonly object[];

/** Tools as a transcript may have them: answers with their calls, and what each call gave. */
interface Turn {
  readonly calls: readonly { readonly id?: string; readonly name: string; readonly n: number }[];
  readonly results?: readonly { readonly id: string; readonly text: string }[];
}

const when = (n: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, n)).toISOString();

function transcript(turns: readonly Turn[]): Lines {
  const said = turns.flatMap(({ calls, results = [] }, n) => [
    {
      type: "assistant",
      message: {
        id: `m${n}`,
        role: "assistant",
        model: "m",
        content: calls.map(({ n: input, ...call }) => ({
          type: "tool_use",
          ...call,
          input: { n: input },
        })),
      },
    },
    ...results.map(({ id, text }) => ({
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
    })),
  ]);
  const prompt = { type: "user", message: { role: "user", content: "Go." } };
  return [prompt, ...said].map((line, n) => ({
    ...line,
    sessionId: "s",
    uuid: `u${n}`,
    parentUuid: n === 0 ? null : `u${n - 1}`,
    timestamp: when(n),
  }));
}

function piSession(turns: readonly Turn[]): Lines {
  const said = turns.flatMap(
    ({ calls, results = [] }): Lines => [
      {
        role: "assistant",
        model: "m",
        content: calls.map(({ n, ...call }) => ({ type: "toolCall", ...call, arguments: { n } })),
      },
      ...results.map(({ id, text }) => ({
        role: "toolResult",
        toolCallId: id,
        content: [{ type: "text", text }],
      })),
    ],
  );
  return [
    { type: "session", id: "s", cwd: "/", timestamp: when(0) },
    ...[{ role: "user", content: "Go." }, ...said].map((message, n) => ({
      type: "message",
      id: `e${n}`,
      parentId: n === 0 ? null : `e${n - 1}`,
      timestamp: when(n),
      message,
    })),
  ];
}

const formats = [
  ["claude-code", claudeCode, transcript],
  ["pi", pi, piSession],
] as const;

async function toolsOf([, format, write]: (typeof formats)[number], turns: readonly Turn[]) {
  const text = write(turns)
    .map((line) => JSON.stringify(line))
    .join("\n");
  const { records } = await recordsOfText(format, text);
  const steps = assemble(records).flatMap((session) =>
    session.conversations.flatMap((run) => run.steps),
  );
  const outputs = new Map(
    steps
      .filter(({ label }) => label === "tool_output")
      .map(({ depends_on: on, payload_completed }) => [on, payload_completed?.["result"]]),
  );
  return steps
    .filter(({ label }) => label === "tool_call")
    .map(({ step_id, payload_started: started }) => [
      started?.["name"],
      started?.["args"],
      outputs.get(step_id),
    ]);
}

test.each(formats)(
  "%s: an id that every answer begins with anew stands for a call each time",
  async (...format) => {
    const turns = [0, 1, 2].map((n) => ({
      calls: [{ id: "call_0", name: "ls", n }],
      results: [{ id: "call_0", text: `out ${n}` }],
    }));
    expect(await toolsOf(format, turns)).toEqual([
      ["ls", { n: 0 }, "out 0"],
      ["ls", { n: 1 }, "out 1"],
      ["ls", { n: 2 }, "out 2"],
    ]);
  },
);

test.each(formats)(
  "%s: of two calls with one id that wait, the later gets the result",
  async (...format) => {
    const turns = [
      { calls: [{ id: "call_0", name: "ls", n: 0 }] },
      { calls: [{ id: "call_0", name: "cat", n: 1 }], results: [{ id: "call_0", text: "out" }] },
    ];
    expect(await toolsOf(format, turns)).toEqual([
      ["ls", { n: 0 }, undefined],
      ["cat", { n: 1 }, "out"],
    ]);
  },
);

test.each(formats)("%s: calls without ids are each there once", async (...format) => {
  const turns = [
    {
      calls: [
        { name: "ls", n: 0 },
        { name: "cat", n: 1 },
      ],
    },
    { calls: [{ name: "wc", n: 2 }] },
  ];
  expect(await toolsOf(format, turns)).toEqual([
    ["ls", { n: 0 }, undefined],
    ["cat", { n: 1 }, undefined],
    ["wc", { n: 2 }, undefined],
  ]);
});
