import { D2 } from "@terrastruct/d2";
import { expect, test } from "vitest";
import { longSession } from "../fixtures/sessions.ts";
import { d2 } from "./d2.ts";
import { thread } from "./thread.ts";
import { tree } from "./tree.ts";

test("a folded session still compiles", async () => {
  const source = d2.render(longSession(400, 1));
  const { diagram } = await new D2().compile({
    fs: { index: source },
    options: { layout: "elk" },
  });
  expect(diagram.shapes).toHaveLength(200);
});

test("a run may have more steps than a call takes arguments", () => {
  const steps = Array.from({ length: 130_000 }, (_, at) => ({ step_id: `s${at}`, label: "node" }));
  const wide = { session_id: "s", conversations: [{ conversation_id: "c", steps }] };
  for (const renderer of [tree, thread]) {
    expect(renderer.render(wide).split("\n").length).toBeGreaterThan(130_000);
  }
});
