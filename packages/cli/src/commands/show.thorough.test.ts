import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

test("a document that nests without end is shown all the same", async () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const text = `{"session_id":"s","conversations":[{"conversation_id":"r","steps":[
    {"step_id":"a","label":"tool_call","payload_started":{"name":"dig","args":${deep}}}]}]}`;
  const cwd = directoryWith({ "deep.json": text });
  const views = [
    ["--view", "tree"],
    ["--view", "thread"],
    ["--format", "json"],
    ["--format", "raw"],
  ];
  for (const view of views) {
    const io = capturedIo(cwd);
    expect(await thoughtflow(["show", "deep.json", ...view], io)).toBe(0);
    expect(io.stdout()).toContain("dig");
  }
});
