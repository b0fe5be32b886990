import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const LONG = "A long question. ".repeat(70_000);
const sha256 = createHash("sha256").update(LONG).digest("hex");

/** A call that was asked this, in a flow directory with these files more. */
async function textsOfPrompt(text: unknown, files: Readonly<Record<string, string>>) {
  const steps = [
    { step_id: "asked", label: "user_message", payload_started: { text } },
    {
      step_id: "call",
      label: "assistant_call",
      depends_on: "asked",
      payload_started: { input: ["asked"] },
    },
  ];
  const session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const cwd = directoryWith({ "thoughtflow/s.json": JSON.stringify(session), ...files });
  const io = capturedIo(cwd);
  expect(await thoughtflow(["prompt", "s", "call", "--format", "json"], io)).toBe(0);
  const parts: readonly { readonly text: string }[] = JSON.parse(io.stdout()).parts;
  return parts.map((part) => part.text);
}

test("a text that stands beside the document is part of the prompt", async () => {
  const blob = { $blob: { sha256, bytes: LONG.length } };
  expect(await textsOfPrompt(blob, { [`thoughtflow/blobs/${sha256}`]: LONG })).toEqual([LONG]);
});

test("a text that is missing, is another, or names a file elsewhere stays as the document has it", async () => {
  const blob = { $blob: { sha256, bytes: LONG.length } };
  const elsewhere = { $blob: { sha256: "../../secret", bytes: 6 } };
  const told = [JSON.stringify(blob)];
  expect(await textsOfPrompt(blob, {})).toEqual(told);
  expect(await textsOfPrompt(blob, { [`thoughtflow/blobs/${sha256}`]: "Another." })).toEqual(told);
  expect(await textsOfPrompt(elsewhere, { secret: "secret" })).toEqual([JSON.stringify(elsewhere)]);
});

test("show, why and convert read the texts that stand beside the document, too", async () => {
  const blob = { $blob: { sha256, bytes: LONG.length } };
  const steps = [
    { step_id: "long", label: "thought", payload_started: { thought: blob, thoughtNumber: 1 } },
    {
      step_id: "a",
      label: "assistant_message",
      depends_on: "long",
      payload_completed: { text: "Yes." },
    },
  ];
  const session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const cwd = directoryWith({
    "thoughtflow/s.json": JSON.stringify(session),
    [`thoughtflow/blobs/${sha256}`]: LONG,
  });
  const shown = async (...argv: readonly string[]): Promise<string> => {
    const io = capturedIo(cwd);
    expect(await thoughtflow(argv, io)).toBe(0);
    return io.stdout();
  };
  for (const argv of [
    ["show", "s"],
    ["show", "s", "--view", "thread"],
    ["why", "s"],
    ["why", "a"],
  ])
    expect(await shown(...argv)).toContain("A long question. A long question.");
  const box = JSON.parse(await shown("convert", "s", "--to", "thoughtbox"));
  expect(box.thoughts[0].thought).toBe(LONG);
  expect(await shown("show", "s", "--format", "raw")).toContain("$blob");
});

test("of a session without a model call it is said that this is what is missing", async () => {
  const steps = [{ step_id: "asked", label: "user_message", payload_started: { text: "/model" } }];
  const session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const io = capturedIo(directoryWith({ "thoughtflow/s.json": JSON.stringify(session) }));
  expect(await thoughtflow(["prompt", "s"], io)).toBe(3);
  expect(io.stderr()).toMatch(/^s has no model call to show\. See: .*thoughtflow show s$/m);
});
