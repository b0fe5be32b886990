import { expect } from "vitest";
import type { DocExample } from "./examples-in.ts";
import { diagramToDraw, drawnDiagram, pictureOf } from "./picture.ts";
import { runExample } from "./run-example.ts";
import { withoutChance } from "./without-chance.ts";

/** Runs an example; but for what differs from run to run, it must print what its page says. */
export async function expectWhatPageSays(example: DocExample): Promise<void> {
  const { outputs, diagram = "" } = await runExample(example);
  expect(outputs.map(withoutChance)).toEqual(
    example.commands.map(({ output }) => withoutChance(output)),
  );
  const picture = pictureOf(example);
  if (picture !== undefined) expect(drawnDiagram(picture)).toEqual(diagramToDraw(diagram));
}
