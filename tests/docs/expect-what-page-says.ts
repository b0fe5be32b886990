import { expect } from "vitest";
import type { DocExample } from "./examples-in.ts";
import { runExample } from "./run-example.ts";
import { withoutChance } from "./without-chance.ts";

/** Runs an example; but for what differs from run to run, it must print what its page says. */
export async function expectWhatPageSays(example: DocExample): Promise<void> {
  const outputs = await runExample(example);
  expect(outputs.map(withoutChance)).toEqual(
    example.commands.map(({ output }) => withoutChance(output)),
  );
}
