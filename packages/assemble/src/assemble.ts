import type { FlowRecord, Session, SessionRecord, TombstoneRecord } from "@thoughtflow/schema";
import { SCHEMA_VERSION } from "@thoughtflow/schema/canonical";
import { completenessOf } from "./completeness.ts";
import { type ContentReader, createContentReader } from "./content-reader.ts";
import { addDeclaredEdges } from "./declared-edges.ts";
import { deriveSteps } from "./derived-steps.ts";
import { distinctRecords } from "./distinct-spans.ts";
import { present } from "./present.ts";
import { recordedSteps } from "./recorded-steps.ts";
import { runDrafts } from "./run-drafts.ts";
import { runFromDraft } from "./run-from-draft.ts";
import { sessionOriginOf, sessionStatusOf, tagsOf, titleOf } from "./session-facts.ts";
import { spansBySession } from "./session-of-spans.ts";
import { type SpanNode, spanNodes } from "./span-node.ts";
import { createStepNames } from "./step-names.ts";
import { earliest, isoFromNanoseconds, latest } from "./time.ts";
import { totalsOf } from "./totals.ts";

/**
 * The documents of all sessions that the records speak of, by session id. A pure function of the set of records:
 * their order, repetition and batching change nothing. Records are read, not kept or changed.
 */
export function assemble(records: Iterable<FlowRecord>): Session[] {
  const { spans, sessions, tombstones } = distinctRecords(records);
  const content = createContentReader();
  const bySession = spansBySession(spanNodes(spans), content);
  for (const { sessionId } of sessions) if (!bySession.has(sessionId)) bySession.set(sessionId, []);
  return [...bySession]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, nodes]) => {
      const own = sessions.filter((record) => record.sessionId === id);
      const erased = tombstones.filter((record) => record.sessionId === id);
      return assembleSession(id, nodes, own, erased, content) ?? [];
    });
}

function assembleSession(
  id: string,
  nodes: readonly SpanNode[],
  records: readonly SessionRecord[],
  tombstones: readonly TombstoneRecord[],
  content: ContentReader,
): Session | undefined {
  const spans = nodes.filter((node) => !tombstones.some((tombstone) => erases(tombstone, node)));
  if (spans.length === 0) return undefined;
  const decisions = records.toSorted((a, b) =>
    Number(BigInt(a.timeUnixNano) - BigInt(b.timeUnixNano)),
  );
  const drafts = runDrafts(spans);
  deriveSteps(
    drafts.flatMap((draft) => recordedSteps(draft, content)),
    content,
  );
  const names = createStepNames(drafts);
  addDeclaredEdges(drafts, names);
  const assembled = drafts.map((draft, i) =>
    runFromDraft(draft, { names, content, records: decisions, previous: drafts[i - 1] }),
  );
  const runs = assembled.map(({ run }) => run);
  const warnings = assembled.flatMap((one) => one.warnings);
  const conflicts = spans.flatMap((span) => span.conflicts);
  const isOpen = spans.some((span) => span.end === undefined);
  const resource = spans[0]?.record.resource;
  return {
    schema_version: SCHEMA_VERSION,
    session_id: id,
    revision: revisionOf(nodes, records, tombstones),
    status: sessionStatusOf(spans, decisions, runs),
    ...sessionOriginOf(spans),
    ...present({
      title: titleOf(spans, runs),
      tags: tagsOf(spans),
      user: runs.find((run) => run.user !== undefined)?.user,
      started_at: isoFromNanoseconds(earliest(spans.map((span) => span.start))),
      ended_at: isOpen ? undefined : isoFromNanoseconds(latest(spans.map((span) => span.end))),
      resource:
        resource === undefined || Object.keys(resource).length === 0 ? undefined : { ...resource },
      warnings: warnings.length > 0 ? warnings : undefined,
      conflicts: conflicts.length > 0 ? conflicts : undefined,
    }),
    totals: { runs: runs.length, ...totalsOf(runs.flatMap((run) => run.steps)) },
    completeness: completenessOf(spans, drafts, runs),
    conversations: runs,
  };
}

function erases({ traceId, spanId }: TombstoneRecord, { record }: SpanNode): boolean {
  if (traceId !== undefined && traceId !== record.traceId) return false;
  return spanId === undefined || spanId === record.spanId;
}

/** Grows with every record that says something new; what is erased keeps counting. */
function revisionOf(
  nodes: readonly SpanNode[],
  records: readonly SessionRecord[],
  tombstones: readonly TombstoneRecord[],
): number {
  const spans = nodes.reduce((sum, { weight }) => sum + weight, 0);
  return spans + records.length + tombstones.length;
}
