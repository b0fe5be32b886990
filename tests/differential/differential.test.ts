import { describe, expect, test } from "vitest";
import { compare } from "./differences.ts";
import { directoryOf } from "./installed-openai.ts";

/** Whole processes, on a machine that may be busy. */

/** The newest and the oldest; more in `every-kind.thorough.test.ts`, every version and every Node in `test:matrix`. */
describe("an app that is observed notices nothing, and every call has its span", () => {
  test.for([
    ["openai-4", "cjs", 150],
    ["openai", "mjs", 165],
  ] as const)("in all scenarios: %s, .%s", async ([name, kind, atLeast]) => {
    const { scenarios, problems } = await compare(
      { directory: directoryOf(name), kind },
      "instrumentation",
    );
    expect(problems).toEqual([]);
    expect(scenarios).toBeGreaterThan(atLeast);
  });
});
