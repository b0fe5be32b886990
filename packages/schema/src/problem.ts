/** One thing that is wrong with a file, as data. */
export interface Problem {
  readonly code: ProblemCode;
  /** Keys and list indexes from the root of the document; empty: the whole file. */
  readonly path: readonly (string | number)[];
  /** What is wrong, in plain words, without path and position. */
  readonly message: string;
  /** What should stand there. */
  readonly expected?: string;
  /** From 1; known when the file came as text. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
}

/**
 * `unreadable`: no text could be had; `syntax`: no JSON; `foreign`: JSON, but no ThoughtFlow file; `newer_version`: made by a later version of
 * ThoughtFlow; `missing`, `wrong_type`, `wrong_value`: against the schema; the others: readable, but wrong in
 * itself.
 */
export type ProblemCode =
  | "unreadable"
  | "syntax"
  | "foreign"
  | "newer_version"
  | "missing"
  | "wrong_type"
  | "wrong_value"
  | "repeated_step_id"
  | "dangling_dependency"
  | "self_dependency"
  | "dependency_cycle"
  | "wrong_range";

/** A path as one writes it in a program: `conversations[0].steps[3].label`; empty for the whole file. */
export function pathText(path: Problem["path"]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(key)) text += text === "" ? key : `.${key}`;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text;
}
