import type { Problem } from "@thoughtflow/schema";
import type { Workflow } from "@thoughtflow/workflow/document";
import { CommandError } from "./command-error.ts";
import { isObject, type PlainObject } from "./imports/plain-values.ts";
import type { SessionSource } from "./load-session.ts";
import { problemLines } from "./problem-lines.ts";

/** A workflow document, or what is wrong with it. */
export type ReadWorkflow =
  | { readonly ok: true; readonly workflow: Workflow }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The workflow document that a file holds; `undefined` where it holds something else. Ends the command with what is wrong with it. */
export async function workflowFrom(found: SessionSource): Promise<Workflow | undefined> {
  const read = await readWorkflow(found.source);
  if (read?.ok === false)
    throw new CommandError(problemLines(found.name, read.problems).join("\n"));
  return read?.workflow;
}

/** The same as data. */
export async function readWorkflow(source: unknown): Promise<ReadWorkflow | undefined> {
  const value = documentIn(source);
  if (value === undefined) return undefined;
  const { Workflow: schema } = await import("@thoughtflow/workflow/schema");
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, workflow: result.data };
  const problems = result.error.issues.map(({ path, message }): Problem => {
    const keys = path.map((key) => (typeof key === "number" ? key : String(key)));
    return { code: "wrong_value", path: keys, message: `is wrong: ${message}` };
  });
  return { ok: false, problems };
}

function documentIn(source: unknown): PlainObject | undefined {
  // Most are sessions: those are not parsed twice.
  const value = typeof source === "string" && NAMES_GRAPH.test(source) ? parsed(source) : source;
  return isObject(value) && "workflow_dag" in value && !("conversations" in value)
    ? value
    : undefined;
}

const NAMES_GRAPH = /"workflow_dag"\s*:/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
