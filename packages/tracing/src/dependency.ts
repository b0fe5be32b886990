import type { StepReference } from "./step-reference.ts";

/** A step by its handle, or by id: `<step id>`, `<run id>/<step id>` or `<trace id>/<step id>`. */
export type DependencyTarget = StepReference | string;

/** What a step rests on, with the type of the edge where it is more than `depends_on`. */
export type Dependency =
  | DependencyTarget
  | { readonly on: DependencyTarget; readonly type: string };
