import { describe, expect, test } from "vitest";
import { conversation, longSession } from "../fixtures/sessions.ts";
import { renderers } from "./renderers.ts";

describe.each(Object.entries(renderers))("the %s renderer", (name, renderer) => {
  test("is found under its own name", () => {
    expect(renderer.name).toBe(name);
    expect(renderer.fileExtension).toMatch(/^(\.[a-z0-9]+)+$/);
  });

  test("draws a session without runs, a run without steps, and chains without end", () => {
    expect(() => renderer.render({ session_id: "s", conversations: [] })).not.toThrow();
    expect(() =>
      renderer.render({ session_id: "s", conversations: [{ conversation_id: "c", steps: [] }] }),
    ).not.toThrow();
    const steps = Array.from({ length: 5000 }, (_, at) => ({
      step_id: `s${at}`,
      label: "node",
      parent_step_id: `s${at - 1}`,
      depends_on: [`s${at - 1}`, `s${(at + 1) % 5000}`],
    }));
    const chain = { session_id: "s", conversations: [{ conversation_id: "c", steps }] };
    expect(() => renderer.render(chain)).not.toThrow();
  });

  test("shows one run alone when asked to", () => {
    const drawn = renderer.render(conversation, { run: "conv_4" });
    // Graphviz is told where a line ends.
    expect(drawn.replaceAll("\\n", " ")).toContain("do I need a coat?");
    expect(drawn).not.toContain(
      "get_weather_from_coords".replaceAll("_", name === "mermaid" ? "#95;" : "_"),
    );
  });
});

test("no drawing has more than 200 boxes, however large the session", () => {
  const boxes = {
    d2: (text: string) => text.match(/^ *r\d+(s\d+)?: \{$/gm),
    svg: (text: string) => text.match(/<g><title>|class="heading"/g),
    mermaid: (text: string) => text.match(/^ *(subgraph )?r\d+(s\d+)? ?[[(]/gm),
  };
  const sessions = [
    longSession(1, 66),
    longSession(1, 67),
    longSession(1, 400),
    longSession(30, 3),
    longSession(700, 1),
  ];
  for (const session of sessions) {
    for (const [name, count] of Object.entries(boxes)) {
      const drawn = renderers[name as keyof typeof boxes].render(session);
      const drill = renderers[name as keyof typeof boxes].render(session, { run: "run_1" });
      expect(count(drawn)?.length, name).toBeLessThanOrEqual(200);
      expect(count(drill)?.length, name).toBeLessThanOrEqual(200);
    }
  }
});
