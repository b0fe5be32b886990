import { fromExactJson } from "@thoughtflow/schema/exact-json";
import { ImportProblem } from "./import-format.ts";

/** The JSON of a text; throws `ImportProblem` when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return fromExactJson(text);
  } catch (error) {
    throw new ImportProblem(`it is no JSON: ${(error as Error).message}`);
  }
}
