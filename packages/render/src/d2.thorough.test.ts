import { D2 } from "@terrastruct/d2";
import type { Session, Step } from "@thoughtflow/schema";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { describe, expect, test } from "vitest";
import { hostileTexts } from "../fixtures/hostile-texts.ts";
import { conversation, seedSession, toolLoop } from "../fixtures/sessions.ts";
import { cleanText } from "./clean-text.ts";
import { d2 } from "./d2.ts";
import { d2String, d2Tooltip } from "./d2-text.ts";
import { workflowRenderers } from "./workflow-renderers.ts";

// One instance for all: each takes 500 MiB.
const compiler = new D2();

async function compile(source: string) {
  const { diagram } = await compiler.compile({ fs: { index: source }, options: { layout: "elk" } });
  return diagram;
}

describe("text in D2", () => {
  test("every hostile text compiles and comes back as a label, and none makes a shape", async () => {
    const shapes = hostileTexts.map(
      (text, at) => `n${at}: { label: ${d2String(text)}; tooltip: ${d2Tooltip(text)} }`,
    );
    const diagram = await compile(shapes.join("\n"));
    const labels = Object.fromEntries(
      diagram.shapes.map((shape) => [shape.id, "label" in shape ? shape.label : ""]),
    );
    expect(labels).toEqual(
      Object.fromEntries(hostileTexts.map((text, at) => [`n${at}`, cleanText(text)])),
    );
    expect(diagram.shapes.filter(({ icon, link }) => icon || link)).toEqual([]);
  });

  test("a session made of hostile texts has the boxes and arrows of a tame one", async () => {
    const outline = async (session: Session) => {
      const { shapes, connections } = await compile(d2.render(session));
      return { shapes: shapes.map(({ id }) => id), arrows: connections.map(({ id }) => id) };
    };
    expect(await outline(hostileSession((text) => text))).toEqual(
      await outline(hostileSession(() => "tame")),
    );
  });
});

// More than a hundred would be folded.
const halves = [hostileTexts.slice(0, 60), hostileTexts.slice(60)];

test.each(halves.map((names) => ({ names })))(
  "a workflow of agents with hostile names has a box for each, and their arrows",
  async ({ names }) => {
    const steps = names.map(
      (text, n): Step => ({
        step_id: `c${n}`,
        label: "assistant_call",
        agent_id: text,
        started_at: new Date(n * 1_000).toISOString(),
        ended_at: new Date(n * 1_000 + 500).toISOString(),
        duration_ms: 500,
        payload_started: { model: text },
      }),
    );
    const agents = names.map((text) => ({ agent_id: text, name: text }));
    const session = {
      session_id: "hostile",
      agents,
      conversations: [{ conversation_id: "r", steps }],
    };
    const workflow = workflowOfSessions([session], { extractionTimestamp: "" });
    const source = workflowRenderers.d2.render(workflow, { inferred: true });
    const { shapes, connections } = await compile(source);
    expect(shapes.map(({ id }) => id)).toEqual(names.map((_, n) => `a${n + 1}`));
    expect(connections.length).toBeGreaterThan(0);
  },
);

describe("a session in D2", () => {
  test("snapshots feed the model call, and the head is a comment", async () => {
    const source = d2.render(seedSession);
    expect(source.split("\n").slice(0, 2)).toEqual([
      "# what’s the weather today?",
      "# ThoughtFlow session sess_1693660012345: 30.0 s, 1 run, 9 steps, 1 model call, 1 tool call",
    ]);
    const { shapes, connections } = await compile(source);
    expect(shapes).toHaveLength(10);
    expect(connections.map(({ src, dst }) => `${src} -> ${dst}`)).toEqual([
      "r1.r1s1 -> r1.r1s2",
      "r1.r1s2 -> r1.r1s3",
      "r1.r1s1 -> r1.r1s8",
      "r1.r1s4 -> r1.r1s8",
      "r1.r1s5 -> r1.r1s8",
      "r1.r1s6 -> r1.r1s8",
      "r1.r1s7 -> r1.r1s8",
      "r1.r1s8 -> r1.r1s9",
    ]);
  });

  test("a step is labelled for people and carries ids and arguments in its tooltip", () => {
    const lines = d2.render(toolLoop).split("\n");
    const start = lines.indexOf("  r1s2: {");
    expect(lines.slice(start, start + 5)).toEqual([
      "  r1s2: {",
      String.raw`    label: "model · 1.5 s\ngpt-5-mini → get_forecast ×2,\nsearch_packing_lists"`,
      String.raw`    tooltip: "step: s_a1b2c3d4e5f60718\nstatus: ok\nstarted: 2026-03-02T09:00:00.000Z\nduration: 1.5 s\nname: openai.chat.completions.create\nmodel: gpt-5-mini\narguments: { tools_count: 3, temperature: 0.2 }\nfinish reasons: [\"tool_calls\"]\ntokens: 620 → 96 tokens\nresponse: chatcmpl-AbC123\nspan: a1b2c3d4e5f60718\ntrace: 4bf92f3577b34da6a3ce929d0e0e4736"`,
      "    class: [model]",
      "  }",
    ]);
  });

  test("arrows look different by origin, say how sure an inference is, and cross runs", () => {
    const arrows = d2
      .render(conversation)
      .split("\n")
      .filter((line) => line.includes(" -> "));
    expect(
      arrows.filter((line) => /r2\.r2s3$|r3\.r3s5:|r4s2:/.test(line.replace(/: .*/, ":"))),
    ).toEqual([
      "r3.r3s4 -> r3.r3s5: { class: declared }",
      "r2.r2s1 -> r3.r3s5: { class: declared }",
      "r4.r4s1 -> r4.r4s2: { class: declared }",
      'r3.r3s5 -> r4.r4s2: "content reuse 0.90" { class: inferred }',
    ]);
    expect(arrows).toContain('r1.r1s6 -> r2.r2s3: "continues" { class: observed }');
    expect(arrows.slice(-3)).toEqual([
      "r1 -> r2: { class: order }",
      "r2 -> r3: { class: order }",
      "r3 -> r4: { class: order }",
    ]);
  });

  test("one run alone shows its steps and the ends of its arrows in other runs", () => {
    const ids = d2
      .render(conversation, { run: "conv_4" })
      .split("\n")
      .flatMap((line) => /^ *(r\d\w*): \{$/.exec(line)?.[1] ?? []);
    expect(ids).toEqual(["r3", "r3s1", "r4", "r4s1", "r4s2", "r4s3"]);
    expect(d2.render(conversation, { run: "no such run" })).not.toMatch(/^r\d/m);
  });
});

/** Every text of the corpus, as `change` gives it, in each place where a document holds text. */
function hostileSession(change: (text: string) => string): Session {
  const steps = hostileTexts.slice(0, 100).map((hostile, at): Step => {
    const text = change(hostile);
    const labels = ["user_message", "assistant_call", "tool_call", "tool_error", "thought"];
    return {
      step_id: `${text}~${at}`,
      label: labels[at % labels.length] ?? "generic",
      status: at % 7 === 0 ? "error" : text,
      span_id: text,
      error: { type: text, message: text },
      payload_started: { text, name: text, model: text, thought: text, args: { [text]: text } },
      payload_completed: {
        text,
        result: text,
        response_id: text,
        function_calls: [{ name: text }],
      },
      edges:
        at === 0
          ? []
          : [
              {
                to: `${change(hostileTexts[at - 1] ?? "")}~${at - 1}`,
                type: text || "x",
                origin: "declared",
              },
            ],
    };
  });
  const [id = ""] = hostileTexts;
  return {
    session_id: change(id),
    title: change(id),
    conversations: [
      {
        conversation_id: change(id),
        name: change(id),
        channel: change(id),
        status: change(id),
        steps,
      },
    ],
  };
}
