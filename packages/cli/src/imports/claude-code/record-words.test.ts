import { expect, test } from "vitest";
import { textIn } from "./record-words.ts";

// What the model was given, in the forms of 2.1.
test.each([
  ["Use tabs.", { type: "hook_additional_context", content: ["Use tabs."] }],
  [
    "Use pnpm.",
    { type: "nested_memory", path: "/a", content: { type: "Project", content: "Use pnpm." } },
  ],
  [
    "const a",
    { type: "file", content: { type: "text", file: { filePath: "/a", content: "const a" } } },
  ],
  [
    "No rm.",
    { type: "hook_blocking_error", blockingError: { blockingError: "No rm.", command: "g" } },
  ],
  ["1 foo", { type: "edited_text_file", filename: "/a", snippet: "1 foo" }],
  ["1. Test.", { type: "plan_file_reference", planFilePath: "/p", planContent: "1. Test." }],
  ["## x", { type: "mcp_instructions_delta", addedNames: ["x"], addedBlocks: ["## x"] }],
  ["How to.", { type: "invoked_skills", skills: [{ name: "pdf", content: "How to." }] }],
  [
    "file:///app/a.go\n[Warning] line 4: unused parameter (unusedparams)\nfile:///app/b.go\nno such name",
    {
      type: "diagnostics",
      isNew: true,
      files: [
        {
          uri: "file:///app/a.go",
          diagnostics: [
            {
              ...{ message: "unused parameter", severity: "Warning", source: "unusedparams" },
              range: { start: { line: 3, character: 2 }, end: { line: 3, character: 9 } },
            },
          ],
        },
        { uri: "file:///app/b.go", diagnostics: [{ message: "no such name" }] },
      ],
    },
  ],
  [
    "a9c1 running: Look for tests\nReading main.go",
    {
      ...{ type: "task_status", taskId: "a9c1", taskType: "local_agent", status: "running" },
      ...{ description: "Look for tests", deltaSummary: "Reading main.go" },
    },
  ],
  [
    "No such tool.",
    { type: "hook_non_blocking_error", stderr: "No such tool.\n", stdout: "", exitCode: 1 },
  ],
  ["Enough.", { type: "hook_stopped_continuation", message: "Enough.", hookEvent: "Stop" }],
  [
    "Three tests fail.\nRun them first.",
    {
      type: "async_hook_response",
      response: {
        systemMessage: "Three tests fail.",
        hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Run them first." },
      },
      stdout: "{}",
    },
  ],
  [undefined, { type: "diagnostics", files: [] }],
  [undefined, { type: "task_status" }],
  [undefined, { type: "hook_success", content: "", stdout: "", stderr: "3 files looked at" }],
  [undefined, { type: "file", content: { type: "image", file: { base64: "AAAA" } } }],
  [undefined, { type: "date_change", newDate: "2026-07-28" }],
  ["As said.", { type: "constructor", content: "As said." }],
  ["As said.", { type: "__proto__", content: "As said." }],
  ["As said.", { type: "toString", content: "As said." }],
])("the words of an attachment are kept: %s", (words, attachment) => {
  expect(textIn({ type: "attachment", attachment })).toBe(words);
});

test.each([
  ["529 Overloaded", { status: 529, error: { type: "error", error: { message: "Overloaded" } } }],
  ["503 Too many.", { status: 503, error: { code: "c", message: "Too many." } }],
  ["Connection error.", { message: "Connection error.", cause: { code: "ETIMEDOUT" } }],
  ["FailedToOpenSocket", { cause: { code: "FailedToOpenSocket", path: "https://x" } }],
  [undefined, {}],
])("a request that failed and was made again says why: %s", (words, error) => {
  expect(textIn({ type: "system", subtype: "api_error", error, retryAttempt: 1 })).toBe(words);
});

test("words are found however deep they stand", () => {
  const content: unknown = JSON.parse(`${"[".repeat(50_000)}"Deep."${"]".repeat(50_000)}`);
  expect(textIn({ type: "attachment", attachment: { type: "x", content } })).toBe("Deep.");
});
