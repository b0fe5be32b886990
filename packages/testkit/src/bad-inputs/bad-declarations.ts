import {
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_RUN_STATUS,
  ATTR_THOUGHTFLOW_SESSION_STATUS,
  ATTR_THOUGHTFLOW_STEP_ID,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  ATTR_THOUGHTFLOW_THOUGHT_BRANCH_ID,
  ATTR_THOUGHTFLOW_THOUGHT_NUMBER,
  ATTR_THOUGHTFLOW_THOUGHT_REVISES,
  ATTR_THOUGHTFLOW_THOUGHT_TYPE,
} from "@thoughtflow/semconv";
import { type BadInput, item } from "./bad-input.ts";

/** What a step may be told to rest on (`thoughtflow.depends_on`), as the steps `a`, `b`, `c` of one run. */
export const badDeclarations: readonly BadInput<Readonly<Record<string, unknown>>>[] = [
  ...item(
    101,
    "dependencies in other shapes",
    { a: "b" },
    { a: [] },
    { a: [["b"]] },
    { a: [null] },
    { a: 7 },
  ),
  ...item(102, "nobody", { a: ["nobody"] }),
  ...item(103, "itself", { a: ["a"] }),
  ...item<Readonly<Record<string, unknown>>>(
    104,
    "a circle",
    { a: ["b"], b: ["a"] },
    { a: ["b"], b: ["c"], c: ["a"] },
  ),
  ...item(105, "one twice", { a: ["b", "b"] }),
  ...item(106, "ten thousand", { a: Array.from({ length: 10_000 }, (_, n) => `x${n}`) }),
  ...item(107, "a later step", { a: ["c"] }),
  ...item(108, "a step of another session", { a: [`${"f".repeat(32)}/x`] }),
];

/** Other attributes of a step that say what can't be. */
export const badStepAttributes: readonly BadInput<Readonly<Record<string, unknown>>>[] = [
  ...item(109, "an id twice", { [ATTR_THOUGHTFLOW_STEP_ID]: "a" }),
  ...item(
    111,
    "an unknown label",
    { [ATTR_THOUGHTFLOW_STEP_LABEL]: "dream" },
    { [ATTR_THOUGHTFLOW_STEP_LABEL]: "" },
  ),
  ...item(116, "a relation to nobody", { [ATTR_THOUGHTFLOW_DEPENDS_ON]: ["nobody"] }),
  ...item(
    117,
    "numbers of thoughts",
    ...[0, -1, 1e9, 1.5, "3"].map((number) => ({ [ATTR_THOUGHTFLOW_THOUGHT_NUMBER]: number })),
  ),
  ...item(118, "branches", {
    [ATTR_THOUGHTFLOW_THOUGHT_BRANCH_ID]: "main",
    [ATTR_THOUGHTFLOW_THOUGHT_NUMBER]: 99,
  }),
  ...item(119, "a revision of nothing", { [ATTR_THOUGHTFLOW_THOUGHT_REVISES]: "nobody" }),
  ...item(
    120,
    "confidences",
    ...["HIGH", 0.9, 1.5, Number.NaN, -1, "high "].map((confidence) => ({
      [ATTR_THOUGHTFLOW_THOUGHT_TYPE]: confidence,
    })),
  ),
  ...item(121, "an unknown kind of thought", { [ATTR_THOUGHTFLOW_THOUGHT_TYPE]: "daydream" }),
  ...item(
    123,
    "states that turn back",
    { [ATTR_THOUGHTFLOW_RUN_STATUS]: "active" },
    { [ATTR_THOUGHTFLOW_SESSION_STATUS]: "completed" },
  ),
];
