import type { Session, Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { d2 } from "./d2.ts";
import { svg } from "./svg.ts";

test("D2 and SVG of a session read a step's payloads once, together: some steps make them anew each time", () => {
  let reads = 0;
  const step: Step = {
    step_id: "a",
    label: "tool_call",
    get payload_started() {
      reads += 1;
      return { name: "search", args: { city: "Oslo" } };
    },
  };
  const session: Session = {
    session_id: "s",
    title: "t",
    conversations: [{ conversation_id: "r", name: "r", steps: [step] }],
  };
  expect(d2.render(session)).toContain('"tool\\nsearch { city: \\"Oslo\\" }"');
  expect(svg.render(session)).toContain("search { city: &quot;Oslo&quot; }");
  expect(reads).toBe(1);
});
