import { hash } from "node:crypto";
import type { Attributes, SpanLink, SpanRecord } from "@thoughtflow/schema";
import { confidenceValue } from "@thoughtflow/schema/steps";
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
import { thoughtAttributes } from "../thought-attributes.ts";
import { toExact } from "./exact-values.ts";
import { textOf, textsOf } from "./fields.ts";
import { OWN_FIELDS } from "./own-fields.ts";
import { type PlacedEntry, placeThoughts } from "./place-thoughts.ts";
import { isObject, type ThoughtboxSession } from "./read-thoughtbox.ts";
import { timesOf } from "./times-of-thoughts.ts";

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
  const placed = placeThoughts(session);
  const isReordered = placed.some(({ position }, at) => position !== at);
  const times = timesOf(
    about,
    placed.map(({ entry }) => entry),
  );
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
      [ATTR_THOUGHTFLOW_RUN_INITIAL_STATE]: JSON.stringify({
        thoughtbox: { form, ...exactly("envelope", envelope) },
      }),
    },
    links: [],
  };

  const spanIds = new Map<string, string>();
  const records = placed.map((one, index): SpanRecord => {
    const { entry, place, placed: own, edges } = one;
    const { thought } = entry;
    const spanId = digest(`${id} thought ${index} ${own.id}`, 16);
    spanIds.set(own.id, spanId);
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
        [ATTR_THOUGHTFLOW_STEP_ID]: own.id,
        ...thoughtAttributes({
          ...place,
          thoughtNumber: own.thoughtNumber,
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
      content: { [ATTR_THOUGHTFLOW_STEP_STARTED]: JSON.stringify(payloadOf(one, isReordered)) },
      links,
    };
  });
  return [root, ...records];
}

/** All fields as they stood, beside them the names by which every thought has them. */
function payloadOf(
  { entry: { thought, node }, position, placed: { id, thoughtNumber } }: PlacedEntry,
  isReordered: boolean,
): Record<string, unknown> {
  const type = textOf(thought["thoughtType"]);
  const { shown, pieces } = toExact(thought);
  const taken = Object.entries(shown).filter(([name]) => OWN_FIELDS.has(name));
  const isNumbered = "thoughtNumber" in thought;
  const kept = {
    ...(isReordered && { position }),
    ...(!isNumbered && { is_numbered: false }),
    ...(node !== undefined && exactly("node", node)),
    ...(pieces.length > 0 && { pieces }),
    ...(taken.length > 0 && { fields: Object.fromEntries(taken) }),
  };
  return {
    ...(!isNumbered && { thoughtNumber }),
    ...shown,
    thought_id: id,
    ...(type !== undefined && { thought_type: type }),
    ...(Object.keys(kept).length > 0 && { thoughtbox: kept }),
  };
}

/** A value of the file, and under `<name>_pieces` what of it a document can't hold as it stands. */
function exactly(name: string, value: object): Record<string, unknown> {
  const { shown, pieces } = toExact(value);
  return { [name]: shown, ...(pieces.length > 0 && { [`${name}_pieces`]: pieces }) };
}

function digest(text: string, length: number): string {
  return hash("sha256", text).slice(0, length);
}
