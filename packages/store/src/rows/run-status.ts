import type { FlowError } from "@thoughtflow/schema";
import { longText } from "./column-values.ts";

/** The words of GraphRun, for runs and steps. */
export type GraphStatus = "RUNNING" | "COMPLETED" | "ERROR" | "ABORTED";

const STATUS: Readonly<Record<string, GraphStatus>> = {
  running: "RUNNING",
  active: "RUNNING",
  completed: "COMPLETED",
  ok: "COMPLETED",
  error: "ERROR",
  abandoned: "ERROR",
  aborted: "ABORTED",
  cancelled: "ABORTED",
};

/** A status of the document in GraphRun's words; one that nobody knows says whether there is an end. */
export function graphStatus(status: string | undefined, isEnded: boolean): GraphStatus {
  const known = status !== undefined && Object.hasOwn(STATUS, status) ? STATUS[status] : undefined;
  return known ?? (isEnded ? "COMPLETED" : "RUNNING");
}

/** Whether it never ended, for a column: GraphRun has no word for that. */
export function isAbandoned(status: string | undefined): 0 | 1 {
  return status === "abandoned" ? 1 : 0;
}

/** What ended something that neither succeeded nor failed by itself, where nobody gave a reason. */
const ENDED_BY: Readonly<Record<string, string>> = {
  abandoned: "it never ended",
  aborted: "it was called off",
  cancelled: "it was called off",
};

/** What `errorTrace` says: the stack where there is one, else type and message; of what was called off or never ended, that. */
export function errorTrace(
  status: string | undefined,
  error: FlowError | undefined,
  reason: string | undefined,
): string | null {
  const said =
    error?.stack ?? [error?.type, error?.message].filter((one) => one !== undefined).join(": ");
  const isOver = status !== undefined && Object.hasOwn(ENDED_BY, status);
  // An error of its own says why it was called off; of what was abandoned it says only what came before.
  const end = isOver && (status === "abandoned" || said === "");
  const left = end ? `${status}: ${reason ?? ENDED_BY[status]}` : "";
  const trace = [left, said].filter((one) => one !== "").join("\n");
  return trace === "" ? null : longText(trace);
}
