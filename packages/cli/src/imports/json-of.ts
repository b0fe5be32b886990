import { fromExactJson, jsonProblem } from "@thoughtflow/schema/exact-json";
import { ImportProblem } from "./import-format.ts";

/** The JSON of a text; throws `ImportProblem` when it is none. @param deepest Levels below which it is cut off */
export function jsonOf(text: string, deepest?: number): unknown {
  try {
    return fromExactJson(text, deepest);
  } catch (error) {
    throw new ImportProblem(`it is ${jsonProblem(error)}`);
  }
}
