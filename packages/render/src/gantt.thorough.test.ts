import { expect, test } from "vitest";
import { at, call, tool } from "../fixtures/agent-calls.ts";
import { gantt } from "./gantt.ts";

test("a request of which 150,000 tools failed has a cross", () => {
  const failed = { started_at: at(2), ended_at: at(3), status: "error" };
  const tools = Array.from({ length: 150_000 }, (_, n) => tool(`t${n}`, "c1", "main", failed));
  const steps = [call("c1", "main", 0), ...tools];
  const drawing = gantt.render({
    session_id: "s",
    conversations: [{ conversation_id: "r", steps }],
  });
  expect(drawing.match(/class="cross"/g)).toHaveLength(2);
});
