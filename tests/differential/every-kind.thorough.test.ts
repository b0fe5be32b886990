import { expect, test } from "vitest";
import { compare } from "./differences.ts";
import { directoryOf } from "./installed-openai.ts";

test.for([
  ["openai-4", "mjs", 150],
  ["openai-4", "cjs", 150],
  ["openai", "mjs", 165],
  ["openai", "cjs", 165],
] as const)(
  "an observed app notices nothing in all scenarios: %s, .%s",
  async ([name, kind, atLeast]) => {
    const { scenarios, problems } = await compare(
      { directory: directoryOf(name), kind },
      "instrumentation",
    );
    expect(problems).toEqual([]);
    expect(scenarios).toBeGreaterThan(atLeast);
  },
);

test.for(["openai-5", "openai-6", "openai-74"])(
  "an observed app notices nothing in those that hang on the inside of the SDK: %s",
  async (name) => {
    const pattern =
      "^(a promise is|the functions|withResponse|asResponse|_thenUnwrap|break|tee|parse|runTools)";
    const target = { directory: directoryOf(name), kind: "mjs", pattern } as const;
    const { scenarios, problems } = await compare(target, "instrumentation");
    expect(problems).toEqual([]);
    expect(scenarios).toBeGreaterThan(30);
  },
);
