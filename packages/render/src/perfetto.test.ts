import { expect, test } from "vitest";
import { hostileTexts } from "../fixtures/hostile-texts.ts";
import { perfetto } from "./perfetto.ts";

test("whatever stands in a document, its trace events are JSON, with the ids as they are", () => {
  const steps = hostileTexts.map((text) => ({
    step_id: text,
    label: "tool_call",
    depends_on: [text],
    started_at: "2026-01-01T00:00:00.000Z",
    payload_started: { name: text, args: { text } },
  }));
  const session = {
    session_id: "s",
    conversations: [{ conversation_id: "r", name: "\u{2028}", steps }],
  };
  const { traceEvents } = JSON.parse(perfetto.render(session));
  const drawn = traceEvents.filter(({ ph }: { ph: string }) => ph === "X");
  expect(drawn.map(({ args }: { args: object }) => args)).toEqual(
    steps.map(({ step_id, label, depends_on }) => ({ step_id, label, depends_on })),
  );
});
