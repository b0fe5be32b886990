import { expect, test } from "vitest";
import { lossTableProblems, specimenOf } from "../../testing/loss-specimen.ts";
import type { ImportFormat } from "./import-format.ts";
import { IMPORT_FORMATS } from "./index.ts";

const formats = Object.entries(IMPORT_FORMATS).filter(([, { losses }]) => losses !== undefined);

test.each(formats)(
  "what %s is said to keep and to lose is what it keeps and loses",
  async (name) => {
    const format = IMPORT_FORMATS[name] as ImportFormat;
    expect(await lossTableProblems(format, specimenOf(name))).toEqual([]);
  },
);
