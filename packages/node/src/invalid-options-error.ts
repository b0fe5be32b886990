/** One setting that can't be used. */
export interface OptionProblem {
  /** The option (`otlp.endpoint`) or the variable (`THOUGHTFLOW_DIR`). */
  readonly name: string;
  readonly value: unknown;
  /** What would have been right, to be read after "expected". */
  readonly expected: string;
}

/** Thrown at start when options or variables can't be used; lists all of them. */
export class InvalidOptionsError extends Error {
  override readonly name = "InvalidOptionsError";
  readonly problems: readonly OptionProblem[];

  constructor(problems: readonly OptionProblem[]) {
    super(problems.map(sentence).join("; "));
    this.problems = problems;
  }
}

function sentence({ name, value, expected }: OptionProblem): string {
  return `${name} is ${shown(value)}, expected ${expected}`;
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
