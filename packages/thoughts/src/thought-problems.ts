import { AnyThought, TypedThought } from "./thought-schema.ts";

/** Something that a thought of its type should have, or should not. */
export interface ThoughtProblem {
  /** Keys and list indexes inside the thought. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const TYPES: ReadonlySet<string> = new Set(
  TypedThought.options.map(({ shape }) => shape.thought_type.value),
);

/** What is wrong with a thought by the rules of its type; types other than the seven have only the common rules. */
export function thoughtProblems(thought: unknown): readonly ThoughtProblem[] {
  const type = (thought as { readonly thought_type?: unknown } | null)?.thought_type;
  const schema = typeof type === "string" && TYPES.has(type) ? TypedThought : AnyThought;
  const { error } = schema.safeParse(thought);
  return (error?.issues ?? []).map(({ path, message }) => ({
    path: path.map((key) => (typeof key === "symbol" ? String(key) : key)),
    message,
  }));
}
