import { expect, test } from "vitest";
import { compare } from "./differences.ts";
import { directoryOf } from "./installed-openai.ts";

// The newest; older ones in `every-kind.thorough.test.ts`, every version and every Node in `test:matrix`.
test("an app that is observed notices nothing, and every call has its span", async () => {
  const target = { directory: directoryOf("openai"), kind: "mjs" } as const;
  const { scenarios, problems } = await compare(target, "instrumentation");
  expect(problems).toEqual([]);
  expect(scenarios).toBeGreaterThan(165);
});
