import type { Workflow } from "@thoughtflow/workflow/document";
import { CommandError } from "./command-error.ts";
import { isObject, type PlainObject } from "./imports/plain-values.ts";
import type { SessionSource } from "./load-session.ts";

const MOST_PROBLEMS = 10;

/** The workflow document that a file holds; `undefined` where it holds something else. Ends the command with what is wrong with it. */
export async function workflowFrom({ name, source }: SessionSource): Promise<Workflow | undefined> {
  const value = documentIn(source);
  if (value === undefined) return undefined;
  const { Workflow: schema } = await import("@thoughtflow/workflow/schema");
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const lines = issues
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message }) => `${name}: ${path.join(".")}: ${message}`);
  if (issues.length > MOST_PROBLEMS) lines.push(`${name}: ${issues.length - MOST_PROBLEMS} more`);
  throw new CommandError(lines.join("\n"));
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
