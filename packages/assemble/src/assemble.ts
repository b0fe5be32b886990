import { createPricing, type Pricing } from "@thoughtflow/dialects/prices";
import type { FlowRecord, Session, SessionRecord, TombstoneRecord } from "@thoughtflow/schema";
import { SCHEMA_VERSION } from "@thoughtflow/schema/canonical";
import { createAgents } from "./agents.ts";
import { completenessOf } from "./completeness.ts";
import { type ContentReader, createContentReader } from "./content-reader.ts";
import { addContinuedSessions, type Responses, responsesOf } from "./continued-sessions.ts";
import { addDeclaredEdges } from "./declared-edges.ts";
import { deriveSteps } from "./derived-steps.ts";
import { addThoughtRelations } from "./derived-thoughts.ts";
import { type DistinctRecords, distinctRecords } from "./distinct-spans.ts";
import { completeFetched } from "./fetched-answers.ts";
import { nameAgents } from "./inferred-agents.ts";
import { countOnce } from "./nested-calls.ts";
import { neutralSpans } from "./neutral-spans.ts";
import { present } from "./present.ts";
import { recordedSteps } from "./recorded-steps.ts";
import { retoldSession, withRetold } from "./retold-session.ts";
import { isRetold } from "./retold-span.ts";
import { runDrafts } from "./run-drafts.ts";
import { runFromDraft } from "./run-from-draft.ts";
import { sessionOriginOf, tagsOf, titleOf } from "./session-facts.ts";
import { spansBySession } from "./session-of-spans.ts";
import { sessionStatusOf } from "./session-status.ts";
import { type SpanNode, spanNodes } from "./span-node.ts";
import { forgetTold } from "./step-draft.ts";
import { createStepNames } from "./step-names.ts";
import { earliest, isoFromNanoseconds, latest } from "./time.ts";
import { totalsOf } from "./totals.ts";

/** What documents depend on besides their records. */
export interface AssembleOptions {
  /**
   * What model calls cost; with a price file of one's own, `createPricing(priceFile)` of
   * `@thoughtflow/dialects/prices`. Default: the table of genai-prices.
   */
  readonly pricing?: Pricing;
}

const tablePricing: Pricing = createPricing();

/**
 * The documents of all sessions that the records speak of, by session id. A pure function of the set of records:
 * their order, repetition and batching change nothing. Records are read, not kept or changed.
 */
export function assemble(
  records: Iterable<FlowRecord>,
  { pricing = tablePricing }: AssembleOptions = {},
): Session[] {
  const { nodes, ...decisions } = inTheirTraces(distinctRecords(records));
  const sessions = bySessionId(decisions.sessions);
  const tombstones = bySessionId(decisions.tombstones);
  const content = createContentReader();
  const bySession = spansBySession(nodes, content);
  const responses = responsesOf(bySession.values());
  for (const id of sessions.keys()) if (!bySession.has(id)) bySession.set(id, []);
  return [...bySession]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(
      ([id, ofSession]) =>
        assembleSession(id, ofSession, sessions.get(id) ?? [], tombstones.get(id) ?? [], {
          content,
          pricing,
          responses,
        }) ?? [],
    );
}

function inTheirTraces({ spans, sessions, tombstones }: DistinctRecords): {
  readonly nodes: readonly SpanNode[];
  readonly sessions: readonly SessionRecord[];
  readonly tombstones: readonly TombstoneRecord[];
} {
  return { nodes: spanNodes(neutralSpans(spans)), sessions, tombstones };
}

/** What all sessions of the records share. */
interface Shared {
  readonly content: ContentReader;
  readonly pricing: Pricing;
  readonly responses: Responses;
}

function bySessionId<T extends { readonly sessionId: string }>(
  records: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const group = groups.get(record.sessionId);
    if (group === undefined) groups.set(record.sessionId, [record]);
    else group.push(record);
  }
  return groups;
}

function assembleSession(
  id: string,
  nodes: readonly SpanNode[],
  records: readonly SessionRecord[],
  tombstones: readonly TombstoneRecord[],
  { content, pricing, responses }: Shared,
): Session | undefined {
  const erased = new Set(tombstones.map(({ traceId, spanId }) => spanKey(traceId, spanId)));
  const spans = erased.size === 0 ? nodes : nodes.filter((node) => !isErased(node, erased));
  if (spans.length === 0) return undefined;
  const retold = spans.filter(({ record }) => isRetold(record));
  if (retold.length > 0) {
    const own = spans.filter(({ record }) => !isRetold(record));
    const shared = { content, pricing, responses };
    const recorded = assembleSession(id, own, records, tombstones, shared);
    return withRetold(recorded, retoldSession(id, retold));
  }
  const decisions = records.toSorted((a, b) =>
    Number(BigInt(a.timeUnixNano) - BigInt(b.timeUnixNano)),
  );
  const ofRuns = new Map(decisions.map((record) => [record.runKey ?? "", record]));
  const all = runDrafts(spans);
  const recorded = all.flatMap((draft) => recordedSteps(draft, content, pricing));
  const { steps, emptied } = completeFetched(recorded);
  const drafts = all.filter((draft) => !emptied.has(draft));
  const told = countOnce(steps, content);
  deriveSteps(told.size === 0 ? steps : steps.filter((step) => !told.has(step)), content);
  addContinuedSessions(steps, responses);
  const names = createStepNames(drafts);
  addDeclaredEdges(drafts, names);
  addThoughtRelations(drafts, names);
  nameAgents(drafts, content);
  const agentsOf = createAgents(drafts);
  const assembled = drafts.map((draft, i) => {
    const previous = drafts[i - 1];
    const made = runFromDraft(draft, { names, content, decisions: ofRuns, previous });
    names.forget(draft);
    forgetTold(draft);
    return made;
  });
  const runs = assembled.map(({ run }) => run);
  const warnings = assembled.flatMap((one) => one.warnings);
  const conflicts = spans.flatMap((span) => span.conflicts);
  const isOpen = spans.some((span) => span.end === undefined);
  const resource = spans[0]?.record.resource;
  const agents = agentsOf(runs);
  return {
    schema_version: SCHEMA_VERSION,
    session_id: id,
    revision: revisionOf(nodes, records, tombstones),
    ...sessionStatusOf(spans, decisions, drafts, runs),
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
    ...(agents.length > 0 && { agents }),
    conversations: runs,
  };
}

function spanKey(traceId: string | undefined, spanId: string | undefined): string {
  return `${traceId ?? "*"}/${spanId ?? "*"}`;
}

/** A tombstone names a span, a trace, or neither and so the whole session. */
function isErased({ record }: SpanNode, erased: ReadonlySet<string>): boolean {
  const { traceId, spanId } = record;
  return [traceId, undefined].some((trace) =>
    [spanId, undefined].some((span) => erased.has(spanKey(trace, span))),
  );
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
