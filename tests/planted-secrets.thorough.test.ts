import { CONTENT_FIELDS } from "@thoughtflow/tracing/internal";
import { expect, test } from "vitest";
import { shownWith, wronglyShown } from "./privacy/fields-shown.ts";
import { PLACES } from "./privacy/plants.mjs";

/** Every set of the six kinds of content. */
const subsets = Array.from({ length: 2 ** CONTENT_FIELDS.length }, (_, bits) =>
  CONTENT_FIELDS.filter((_, at) => (bits >> at) & 1),
);

const AT_ONCE = 4;

test("each of the 64 sets of kinds lets its places into files, spans and logs, and none of the others anywhere", async () => {
  const everything = await shownWith({ files: true, spans: true, logs: true });
  const reaching = (...ends: readonly string[]) =>
    Object.entries(PLACES).flatMap(([place, end]) => (ends.includes(end) ? [place] : []));
  expect(everything.json).toEqual(reaching("document"));
  expect(everything.OTLP).toEqual(reaching("document", "records"));
  expect([...everything["other files"], ...everything.output]).toEqual([]);
  const wrong: string[] = [];
  // In one run the three switches stand differently; over all runs each of them has stood as each set says.
  const waiting = subsets.map((files, at) => ({
    files,
    spans: subsets[subsets.length - 1 - at] ?? [],
    logs: subsets[(at + 21) % subsets.length] ?? [],
  }));
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const found = wronglyShown(await shownWith(next), everything, next);
      wrong.push(...found.map((line) => `${JSON.stringify(next)}: ${line}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(wrong).toEqual([]);
}, 600_000);
