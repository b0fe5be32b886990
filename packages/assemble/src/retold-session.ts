import type { Run, Session, SpanRecord, Step } from "@thoughtflow/schema";
import { jsonOfContent } from "@thoughtflow/schema/content-list";
import {
  ATTR_THOUGHTFLOW_DOCUMENT_PLACE,
  ATTR_THOUGHTFLOW_DOCUMENT_RUN,
  ATTR_THOUGHTFLOW_DOCUMENT_SESSION,
  ATTR_THOUGHTFLOW_DOCUMENT_STEP,
  ATTR_THOUGHTFLOW_RUN_ID,
} from "@thoughtflow/semconv";
import { retoldRevision } from "./retold-span.ts";
import { attributeOf, type SpanNode, textAttribute } from "./span-node.ts";
import { totalsOf } from "./totals.ts";

/** The document that such spans were made from, the latest of several; of one that has not come wholly, what is there. */
export function retoldSession(id: string, spans: readonly SpanNode[]): Session {
  let session: object = { session_id: id };
  const runs: ToldRun[] = [];
  const latest = spans.reduce((most, { record }) => Math.max(most, retoldRevision(record)), 0);
  for (const { record } of spans) {
    if (retoldRevision(record) !== latest) continue;
    const [runPlace, stepPlace] = placeOf(record);
    session = partOf(record, ATTR_THOUGHTFLOW_DOCUMENT_SESSION) ?? session;
    if (runPlace === undefined) continue;
    runs[runPlace] ??= { run: { conversation_id: runIdOf(record) }, steps: [] };
    const told = runs[runPlace];
    told.run = partOf(record, ATTR_THOUGHTFLOW_DOCUMENT_RUN) ?? told.run;
    const step = partOf(record, ATTR_THOUGHTFLOW_DOCUMENT_STEP);
    if (step !== undefined && stepPlace !== undefined) told.steps[stepPlace] = step as Step;
  }
  // Places that nothing came for are left out.
  const conversations = runs
    .filter(() => true)
    .map(({ run, steps }) => ({ ...run, steps: steps.filter(() => true) }) as Run);
  return { ...session, session_id: id, conversations };
}

interface ToldRun {
  run: object;
  readonly steps: Step[];
}

/** Runs of a document among those of a session that has spans of its own: of a run that has both, its spans count. */
export function withRetold(recorded: Session | undefined, retold: Session): Session {
  if (recorded === undefined) return retold;
  const known = new Set(recorded.conversations.map(({ conversation_id }) => conversation_id));
  const more = retold.conversations.filter(({ conversation_id }) => !known.has(conversation_id));
  if (more.length === 0) return recorded;
  const conversations = [...more, ...recorded.conversations].toSorted((a, b) =>
    compareTexts(a.started_at ?? "", b.started_at ?? ""),
  );
  return {
    ...retold,
    ...recorded,
    revision: (recorded.revision ?? 0) + (retold.revision ?? 0),
    ...(retold.started_at !== undefined && {
      started_at: [retold.started_at, recorded.started_at ?? "~"].toSorted()[0],
    }),
    totals: {
      runs: conversations.length,
      ...totalsOf(conversations.flatMap(({ steps }) => steps)),
    },
    conversations,
  };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function runIdOf(record: SpanRecord): string {
  return textAttribute(record, ATTR_THOUGHTFLOW_RUN_ID) ?? `r_${record.spanId}`;
}

/** Run and step; of a place that is none, nothing. */
function placeOf(record: SpanRecord): readonly number[] {
  const place = attributeOf(record, ATTR_THOUGHTFLOW_DOCUMENT_PLACE);
  const isPlace = Array.isArray(place) && place.every((one) => isIndex(one));
  return isPlace ? place : [];
}

const MOST_PLACES = 2 ** 24;

function isIndex(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < MOST_PLACES;
}

function partOf(record: SpanRecord, name: string): object | undefined {
  const text = record.content?.[name] ?? attributeOf(record, name);
  if (text === undefined || typeof text === "number" || typeof text === "boolean") return undefined;
  try {
    const value: unknown = JSON.parse(jsonOfContent(text as Parameters<typeof jsonOfContent>[0]));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // Some backends cut texts.
    return undefined;
  }
}
