import { describe, expect, it, vi } from "vitest";
import { lateOutputIn } from "./late-output.ts";

function outputMessage(response: unknown, more: object = {}): string {
  return JSON.stringify({
    role: "tool",
    parts: [{ type: "tool_call_response", id: "call_1", response, ...more }],
  });
}

describe("a message with what a tool gave", () => {
  it("tells whose output it is before its text is read", () => {
    const parse = vi.spyOn(JSON, "parse");
    const message = lateOutputIn(outputMessage("a text"));
    const [kind, { id } = {}] = [message?.atoms[0]?.kind, message?.parts[0] as { id?: string }];
    expect({ role: message?.role, kind, id, reads: parse.mock.calls.length }).toEqual({
      role: "tool",
      kind: "tool_response",
      id: "call_1",
      reads: 0,
    });
    parse.mockRestore();
  });

  it.each([
    "",
    "plain",
    'says "so"',
    'ends with "',
    "ends with \\",
    '\\"}]}',
    '"}]}',
    "two\nlines, größer 🙂",
  ])("has the text %j when it is looked at", (text) => {
    expect(lateOutputIn(outputMessage(text))?.parts).toMatchObject([{ response: text }]);
  });

  it("has no text that is no JSON", () => {
    const broken = outputMessage("two lines").replace(" ", "\n");
    expect(lateOutputIn(broken)?.parts).toMatchObject([{ response: undefined }]);
  });

  it.each([
    ["no text", outputMessage({ files: 2 })],
    ["a failure", outputMessage("gone", { is_error: true })],
    ["cut off", outputMessage("a long text").slice(0, -5)],
    ["cut off in an escape", `${outputMessage("a").slice(0, -4)}\\"}]}`],
    [
      "two outputs",
      outputMessage("one").replace(/\]\}$/, ',{"type":"tool_call_response","response":"two"}]}'),
    ],
    ["another order", '{"parts":[],"role":"tool"}'],
  ])("is read at once where it is of another form: %s", (_, json) => {
    expect(lateOutputIn(json)).toBeUndefined();
  });
});
