import { hash } from "node:crypto";
import type { Attributes, SpanLink, SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_SERVICE_NAME,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES,
  ATTR_THOUGHTFLOW_EDGE_ORIGIN,
  ATTR_THOUGHTFLOW_LINK_TYPE,
  ATTR_THOUGHTFLOW_RUN_INITIAL_STATE,
  ATTR_THOUGHTFLOW_RUN_STATUS,
  ATTR_THOUGHTFLOW_SEQ,
  ATTR_THOUGHTFLOW_SESSION_ORIGIN,
  ATTR_THOUGHTFLOW_SESSION_STATUS,
  ATTR_THOUGHTFLOW_SESSION_TAGS,
  ATTR_THOUGHTFLOW_SESSION_TITLE,
  ATTR_THOUGHTFLOW_STEP_ID,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  ATTR_THOUGHTFLOW_STEP_STARTED,
} from "@thoughtflow/semconv";
import { confidenceValue } from "../confidence.ts";
import { thoughtAttributes } from "../thought-attributes.ts";
import { countFrom } from "../thought-count.ts";
import { createThoughtLedger, type PlacedThought } from "../thought-ledger.ts";
import { isoNanoseconds } from "./iso-nanoseconds.ts";
import { isObject, type ThoughtboxEntry, type ThoughtboxSession } from "./read-thoughtbox.ts";

/** The run status of each status that a Thoughtbox session can have. */
const RUN_STATUS: Readonly<Record<string, string>> = {
  active: "running",
  completed: "completed",
  abandoned: "abandoned",
};

/**
 * A Thoughtbox session as records: a run, in it a span for each thought, with edges to the thought before it on its
 * track, to where its branch leaves, to what it revises, merges or refutes. Each thought's fields are its payload as they
 * stood; the rest of the file is the run's initial state. The same session gives the same records.
 */
export function recordsFromThoughtbox(session: ThoughtboxSession): SpanRecord[] {
  const { envelope, form, thoughts } = session;
  const about = isObject(envelope["session"]) ? envelope["session"] : {};
  const id = textOf(about["id"]) ?? `thoughtbox_${digest(JSON.stringify(thoughts), 16)}`;
  const traceId = digest(`thoughtbox session ${id}`, 32);
  const rootId = digest(`${id} session`, 16);
  const times = timesOf(about, thoughts);
  const status = textOf(about["status"]);
  const title = textOf(about["title"]);
  const tags = textsOf(about["tags"]);
  const agent = thoughts.map(({ thought }) => textOf(thought["agentName"])).find((name) => name);
  const scope = { name: "@thoughtflow/thoughts" };
  const resource: Attributes = { [ATTR_SERVICE_NAME]: "thoughtbox" };
  const base = {
    type: "span_end",
    traceId,
    kind: "internal",
    status: { code: "unset" },
    events: [],
    scope,
    resource,
  } as const;
  const root: SpanRecord = {
    ...base,
    spanId: rootId,
    name: "thoughtbox session",
    startTimeUnixNano: String(times.start),
    endTimeUnixNano: String(times.end),
    attributes: {
      [ATTR_SESSION_ID]: id,
      [ATTR_THOUGHTFLOW_SESSION_ORIGIN]: "declared",
      [ATTR_THOUGHTFLOW_SEQ]: 1,
      ...(title !== undefined && { [ATTR_THOUGHTFLOW_SESSION_TITLE]: title }),
      ...(tags.length > 0 && { [ATTR_THOUGHTFLOW_SESSION_TAGS]: tags }),
      ...(status !== undefined && { [ATTR_THOUGHTFLOW_SESSION_STATUS]: status }),
      ...(status !== undefined &&
        Object.hasOwn(RUN_STATUS, status) && {
          [ATTR_THOUGHTFLOW_RUN_STATUS]: RUN_STATUS[status] ?? status,
        }),
      ...(agent !== undefined && { [ATTR_GEN_AI_AGENT_NAME]: agent }),
    },
    content: {
      [ATTR_THOUGHTFLOW_RUN_INITIAL_STATE]: JSON.stringify({ thoughtbox: { form, ...envelope } }),
    },
    links: [],
  };

  const ledger = createThoughtLedger();
  const spanIds = new Map<string, string>();
  const merges = mergesByNumber(envelope, about);
  const records = thoughts.map((entry, index): SpanRecord => {
    const { thought } = entry;
    const place = placeOf(thought, merges);
    const placed = ledger.place(place);
    const spanId = digest(`${id} thought ${index} ${placed.id}`, 16);
    spanIds.set(placed.id, spanId);
    const edges = edgesOf(thought, placed, ledger.idOf);
    const links = edges.flatMap(({ to, type }): SpanLink[] => {
      const target = spanIds.get(to);
      if (target === undefined) return [];
      const attributes = {
        [ATTR_THOUGHTFLOW_LINK_TYPE]: type,
        [ATTR_THOUGHTFLOW_EDGE_ORIGIN]: "declared",
      };
      return [{ traceId, spanId: target, attributes }];
    });
    const type = textOf(thought["thoughtType"]);
    const confidence = thought["confidence"];
    const resolution = textOf(thought["resolution"]);
    const time = String(times.thoughts[index]);
    return {
      ...base,
      spanId,
      parentSpanId: rootId,
      name: "thought",
      startTimeUnixNano: time,
      endTimeUnixNano: time,
      attributes: {
        [ATTR_SESSION_ID]: id,
        [ATTR_THOUGHTFLOW_SEQ]: index + 2,
        [ATTR_THOUGHTFLOW_STEP_LABEL]: "thought",
        [ATTR_THOUGHTFLOW_STEP_ID]: placed.id,
        ...thoughtAttributes({
          ...place,
          thoughtNumber: placed.thoughtNumber,
          type,
          resolution,
          ...(confidenceValue(confidence) !== undefined && {
            confidence: confidence as number | "high",
          }),
        }),
        ...(edges.length > 0 && {
          [ATTR_THOUGHTFLOW_DEPENDS_ON]: edges.map(({ to }) => to),
          [ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES]: edges.map((edge) => edge.type),
        }),
      },
      content: { [ATTR_THOUGHTFLOW_STEP_STARTED]: JSON.stringify(payloadOf(entry, placed, type)) },
      links,
    };
  });
  return [root, ...records];
}

/** All fields as they stood, beside them the names by which every thought has them. */
function payloadOf(
  { thought, node }: ThoughtboxEntry,
  { id, thoughtNumber }: PlacedThought,
  type: string | undefined,
): Record<string, unknown> {
  return {
    // A file without numbers gets them back without.
    ...(!("thoughtNumber" in thought) && { thoughtNumber, number_given: false }),
    ...thought,
    thought_id: id,
    ...(type !== undefined && { thought_type: type }),
    ...(node !== undefined && { node }),
  };
}

type Place = Parameters<ReturnType<typeof createThoughtLedger>["place"]>[0];

function placeOf(
  thought: ThoughtboxEntry["thought"],
  merges: ReadonlyMap<number, readonly string[]>,
): Place {
  const number = countFrom(thought["thoughtNumber"]);
  const id = textOf(thought["id"]);
  const branchId = textOf(thought["branchId"]);
  const branchFromThought = countFrom(thought["branchFromThought"]);
  const revisesThought = countFrom(thought["revisesThought"]);
  const given = textsOf(thought["mergesBranches"]);
  const mergesBranches =
    given.length > 0 || branchId !== undefined || number === undefined
      ? given
      : (merges.get(number) ?? []);
  return {
    ...(id !== undefined && { id }),
    ...(number !== undefined && { number }),
    ...(branchId !== undefined && { branchId }),
    ...(branchFromThought !== undefined && { branchFromThought }),
    ...(revisesThought !== undefined && { revisesThought }),
    ...(mergesBranches.length > 0 && { mergesBranches }),
  };
}

/** What a thought rests on, and the thoughts that a changed assumption is about. */
function edgesOf(
  { branchId, assumptionChange }: ThoughtboxEntry["thought"],
  { id, relations }: PlacedThought,
  idOf: (number: number, branchId: string | undefined) => string | undefined,
): readonly { readonly to: string; readonly type: string }[] {
  const downstream = isObject(assumptionChange) ? assumptionChange["downstream"] : undefined;
  const concerned = (Array.isArray(downstream) ? downstream : []).flatMap((item) => {
    const number = countFrom(item);
    const to = number === undefined ? undefined : idOf(number, textOf(branchId));
    return to === undefined || to === id ? [] : [to];
  });
  return [...relations, ...[...new Set(concerned)].map((to) => ({ to, type: "related_to" }))];
}

/** Archives say at the branch which main-track thought merged it. */
function mergesByNumber(
  envelope: ThoughtboxSession["envelope"],
  about: Readonly<Record<string, unknown>>,
): ReadonlyMap<number, readonly string[]> {
  const merges = new Map<number, string[]>();
  for (const branch of [envelope["branches"], about["branches"]].flat()) {
    if (!isObject(branch)) continue;
    const name = textOf(branch["branchId"]) ?? textOf(branch["branch_id"]) ?? textOf(branch["id"]);
    const number = countFrom(branch["mergeThoughtNumber"] ?? branch["merge_thought_number"]);
    if (name === undefined || number === undefined) continue;
    merges.set(number, [...(merges.get(number) ?? []), name]);
  }
  return merges;
}

interface Times {
  readonly start: bigint;
  readonly end: bigint;
  /** One a thought; what has none, or one before its predecessor's, happened with the predecessor. */
  readonly thoughts: readonly bigint[];
}

function timesOf(
  about: Readonly<Record<string, unknown>>,
  entries: readonly ThoughtboxEntry[],
): Times {
  const told = entries.map(({ thought }) => isoNanoseconds(thought["timestamp"]));
  const first = told.find((time) => time !== undefined);
  const start = isoNanoseconds(about["createdAt"]) ?? first ?? 0n;
  let last = start;
  const thoughts = told.map((time) => {
    if (time !== undefined && time > last) last = time;
    return last;
  });
  const completed = isoNanoseconds(about["completedAt"]) ?? last;
  return { start, end: completed > last ? completed : last, thoughts };
}

function digest(text: string, length: number): string {
  return hash("sha256", text).slice(0, length);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => textOf(item) !== undefined) : [];
}
