import type { Run, Session, SessionRecord } from "@thoughtflow/schema";
import { ATTR_THOUGHTFLOW_SESSION_STATUS } from "@thoughtflow/semconv";
import { type SpanNode, textAttribute } from "./span-node.ts";
import type { RunDraft } from "./step-draft.ts";
import { latest } from "./time.ts";

/** Somebody said how the session ended. */
interface FinalWord {
  readonly status: string;
  /** Where a process said it and not the program. */
  readonly reason?: string;
  readonly time: bigint;
}

/**
 * What the program, or else the process that watched it, said last. A word holds until another run begins: without one
 * that holds the session is `active` while something runs, else it ended as its last run did.
 *
 * @param records what was decided, the earliest first
 */
export function sessionStatusOf(
  spans: readonly SpanNode[],
  records: readonly SessionRecord[],
  drafts: readonly RunDraft[],
  runs: readonly Run[],
): Pick<Session, "status" | "status_reason" | "reopened"> {
  const words = finalWords(spans, records);
  const begun = latest(drafts.map(({ spans: { root } }) => root?.start)) ?? 0n;
  const reopened = words.some(({ time }) => time < begun) ? { reopened: true } : {};
  const isRunning = runs.some(({ status }) => status === "running");
  // A process may think a session idle in which another one works.
  const word = words.find(
    ({ reason, time }) => time >= begun && (reason === undefined || !isRunning),
  );
  if (word === undefined) {
    const status = isRunning ? "active" : (runs.at(-1)?.status ?? "completed");
    return { status, ...reopened };
  }
  const { status, reason } = word;
  return { status, ...(reason !== undefined && { status_reason: reason }), ...reopened };
}

/** The program's before those of processes, and the last of each first. */
function finalWords(
  spans: readonly SpanNode[],
  records: readonly SessionRecord[],
): readonly FinalWord[] {
  const ofProgram: FinalWord[] = [];
  for (const { record, start } of spans) {
    const status = textAttribute(record, ATTR_THOUGHTFLOW_SESSION_STATUS);
    if (status !== undefined) ofProgram.push({ status, time: start });
  }
  const ofProcesses = records.flatMap(({ runKey, status, reason, timeUnixNano }) =>
    runKey === undefined && status !== "running"
      ? [{ status, reason, time: BigInt(timeUnixNano) }]
      : [],
  );
  return [...ofProgram.toReversed(), ...ofProcesses.toReversed()];
}
