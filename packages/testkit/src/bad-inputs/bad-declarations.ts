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
  ...item(109, "an id twice", { "thoughtflow.step.id": "a" }),
  ...item(
    111,
    "an unknown label",
    { "thoughtflow.step.label": "dream" },
    { "thoughtflow.step.label": "" },
  ),
  ...item(116, "a relation to nobody", { "thoughtflow.thought.related_to": ["nobody"] }),
  ...item(
    117,
    "numbers of thoughts",
    ...[0, -1, 1e9, 1.5, "3"].map((number) => ({ "thoughtflow.thought.number": number })),
  ),
  ...item(118, "branches", {
    "thoughtflow.thought.branch_id": "main",
    "thoughtflow.thought.branch_from": 99,
  }),
  ...item(119, "a revision of nothing", { "thoughtflow.thought.is_revision": true }),
  ...item(
    120,
    "confidences",
    ...["HIGH", 0.9, 1.5, Number.NaN, -1, "high "].map((confidence) => ({
      "thoughtflow.thought.confidence": confidence,
    })),
  ),
  ...item(121, "an unknown kind of thought", { "thoughtflow.thought.type": "daydream" }),
  ...item(
    123,
    "states that turn back",
    { "thoughtflow.run.status": "active" },
    { "thoughtflow.session.status": "completed" },
  ),
];
