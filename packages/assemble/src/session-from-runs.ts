import type { Attributes, Session, SessionRecord } from "@thoughtflow/schema";
import { SCHEMA_VERSION } from "@thoughtflow/schema/canonical";
import { completenessOf, journalsDeletedOf } from "./completeness.ts";
import { present } from "./present.ts";
import { sessionOriginOf, tagsOf, titleOf } from "./session-facts.ts";
import type { SessionRuns } from "./session-runs.ts";
import { sessionStatusOf } from "./session-status.ts";
import type { SpanNode } from "./span-node.ts";
import { earliest, isoFromNanoseconds, latest } from "./time.ts";
import { totalsOf } from "./totals.ts";

/** What is known of a session besides its spans. */
export interface Known {
  /** What was decided about it, the earliest first. */
  readonly decisions: readonly SessionRecord[];
  readonly revision: number;
}

/** The document of a session: its runs, and what they and its spans come to. */
export function sessionFromRuns(
  id: string,
  spans: readonly SpanNode[],
  { drafts, runs, agents, openSteps, warnings: warningsOfRuns }: SessionRuns,
  { decisions, revision }: Known,
): Session {
  const deleted = journalsDeletedOf(decisions);
  const warnings = [...deleted, ...warningsOfRuns];
  const conflicts = spans.flatMap((span) => span.conflicts);
  const isOpen = spans.some((span) => span.end === undefined);
  const resource = spans[0] && inOrder(spans[0].record.resource);
  return {
    schema_version: SCHEMA_VERSION,
    session_id: id,
    revision,
    ...sessionStatusOf(spans, decisions, drafts, runs),
    ...sessionOriginOf(spans),
    ...present({
      title: titleOf(spans, runs),
      tags: tagsOf(spans),
      user: runs.find((run) => run.user !== undefined)?.user,
      started_at: isoFromNanoseconds(earliest(spans.map((span) => span.start))),
      ended_at: isOpen ? undefined : isoFromNanoseconds(latest(spans.map((span) => span.end))),
      resource,
      warnings: warnings.length > 0 ? warnings : undefined,
      conflicts: conflicts.length > 0 ? conflicts : undefined,
    }),
    totals: { runs: runs.length, ...totalsOf(runs.flatMap((run) => run.steps)) },
    completeness: completenessOf(spans, drafts, runs, openSteps, deleted),
    ...(agents.length > 0 && { agents: [...agents] }),
    conversations: [...runs],
  };
}

/** By name: backends give them back in an order of theirs. `undefined` where there are none. */
function inOrder(resource: Attributes): Attributes | undefined {
  const attributes = Object.entries(resource);
  if (attributes.length === 0) return undefined;
  return Object.fromEntries(attributes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
