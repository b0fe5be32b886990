import { claudeCode } from "./claude-code/claude-code.ts";
import type { ImportFormat } from "./import-format.ts";
import { thoughtbox } from "./thoughtbox.ts";

/** Every format that `thoughtflow import` reads, by its name there. */
export const IMPORT_FORMATS: Readonly<Record<string, ImportFormat>> = {
  "claude-code": claudeCode,
  thoughtbox,
};
