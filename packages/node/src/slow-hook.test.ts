import { afterEach, expect, test, vi } from "vitest";
import { toldWhenSlow } from "./slow-hook.ts";

afterEach(() => vi.restoreAllMocks());

test("a hook that takes long is told once, and its answers and errors are its own", () => {
  const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const hook = toldWhenSlow((text) => {
    now += text === "slow" ? 101 : 100;
    if (text === "bad") throw new RangeError("mine");
    return text.toUpperCase();
  });
  expect(hook("quick", "a")).toBe("QUICK");
  expect(() => hook("bad", "a")).toThrow(RangeError);
  expect(emitWarning).not.toHaveBeenCalled();
  expect(hook("slow", "gen_ai.input.messages")).toBe("SLOW");
  expect(hook("slow", "gen_ai.input.messages")).toBe("SLOW");
  expect(emitWarning.mock.calls.map(([message]) => message)).toEqual([
    expect.stringMatching(
      /^The redact hook took 101 ms for 4 characters of gen_ai\.input\.messages; the app waits/,
    ),
  ]);
});
