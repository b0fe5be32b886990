import { expect, test } from "vitest";
import { documentKeys, shownFate } from "../../testing/conversion-fates.ts";
import { fateOf } from "./conversion-losses.ts";
import { TARGETS, type TargetName } from "./targets.ts";

const targets = Object.keys(TARGETS) as TargetName[];

test.each(targets)(
  "what %s is said to keep and to leave out is what it keeps and leaves out",
  (target) => {
    const keys = documentKeys();
    const fates = (fate: (...key: (typeof keys)[number]) => string) =>
      keys.map(([part, key]) => `${part} ${key}: ${fate(part, key)}`);
    expect(fates((part, key) => shownFate(TARGETS[target], part, key))).toEqual(
      fates((part, key) => fateOf(target, part, key)),
    );
  },
);
