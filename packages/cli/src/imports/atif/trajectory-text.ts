import { jsonOf } from "../json-of.ts";
import { membersOf, type PlainObject } from "../plain-values.ts";

/** Sub-agents stand in one another, two levels each: more of them than anything else nests. */
const DEEPEST = 2_500;

/** The trajectory of a file; throws `ImportProblem` where it is no JSON. */
export function trajectoryIn(text: string): PlainObject {
  return membersOf(jsonOf(text, DEEPEST));
}
