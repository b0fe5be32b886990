import type { Attributes, Run, Session, SpanLink, SpanRecord, Step } from "@thoughtflow/schema";
import { compactJson } from "@thoughtflow/schema/canonical";
import { createStepIndex, type StepIndex } from "@thoughtflow/schema/steps";
import {
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DOCUMENT_PLACE,
  ATTR_THOUGHTFLOW_DOCUMENT_REVISION,
  ATTR_THOUGHTFLOW_DOCUMENT_RUN,
  ATTR_THOUGHTFLOW_DOCUMENT_SESSION,
  ATTR_THOUGHTFLOW_DOCUMENT_STEP,
  ATTR_THOUGHTFLOW_EDGE_ORIGIN,
  ATTR_THOUGHTFLOW_LINK_TYPE,
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTR_THOUGHTFLOW_SEQ,
  ATTR_THOUGHTFLOW_STEP_ID,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  SPAN_SESSION,
} from "@thoughtflow/semconv";
import {
  runConventions,
  stepContent,
  stepConventions,
  stepSpanName,
} from "./retold-conventions.ts";
import { hashedId, type SpanPlace, type SpanPlaces, spanPlaces } from "./retold-places.ts";

/**
 * A document as ended spans: one for each step, one for each run that is none of its steps, one for the session. They
 * have the ids of the spans that the document was made from, where it knows them, and what backends read of the GenAI
 * conventions; and each carries its part of the document, so that `assemble` gives it back as it is.
 */
export function recordsFromSession(session: Session): readonly SpanRecord[] {
  const { conversations, ...rest } = session;
  const places = spanPlaces(session);
  const index = createStepIndex(session);
  const records = conversations.flatMap((run, at) => recordsOfRun(session, run, at, places, index));
  const first = records[0];
  const traceId = first?.traceId ?? hashedId(32, session.session_id);
  const spanId = hashedId(16, session.session_id, "session");
  records.push({
    ...recordOf(session, { traceId, spanId }, session),
    ...(first !== undefined && { parentSpanId: first.spanId }),
    name: SPAN_SESSION,
    attributes: sharedAttributes(session, [], records.length),
    content: { [ATTR_THOUGHTFLOW_DOCUMENT_SESSION]: compactJson(rest) },
  });
  return records;
}

function recordsOfRun(
  session: Session,
  run: Run,
  at: number,
  { ofRun, ofStep }: SpanPlaces,
  index: StepIndex,
): SpanRecord[] {
  const place = ofRun.get(run) as SpanPlace;
  const { steps, ...rest } = run;
  const told = { [ATTR_THOUGHTFLOW_DOCUMENT_RUN]: compactJson(rest) };
  const ofRunItself = { [ATTR_THOUGHTFLOW_RUN_ID]: run.conversation_id, ...runConventions(run) };
  const byId = new Map(steps.map((step) => [step.step_id, step]));
  const parentOf = (step: Step, { spanId }: SpanPlace): string => {
    const named = byId.get(step.parent_step_id ?? "");
    const parent = named === undefined ? undefined : ofStep.get(named)?.spanId;
    // A derived step names the span that it was read from.
    const candidates = [parent, step.origin === "derived" ? step.span_id : undefined];
    return candidates.find((id) => id !== spanId && spans.has(id)) ?? place.spanId;
  };
  const spans = new Set(steps.map((step) => ofStep.get(step)?.spanId));
  const records = steps.map((step, number): SpanRecord => {
    const own = ofStep.get(step) as SpanPlace;
    const isRoot = own.traceId === place.traceId && own.spanId === place.spanId;
    return {
      ...recordOf(session, own, step, run),
      ...(!isRoot && { parentSpanId: parentOf(step, own) }),
      name: stepSpanName(step),
      kind: step.label === "assistant_call" ? "client" : "internal",
      status: statusOf(step),
      attributes: {
        ...sharedAttributes(session, [at, number], number),
        ...(isRoot && ofRunItself),
        [ATTR_THOUGHTFLOW_RUN_ID]: run.conversation_id,
        [ATTR_THOUGHTFLOW_STEP_ID]: step.step_id,
        [ATTR_THOUGHTFLOW_STEP_LABEL]: step.label,
        ...stepConventions(step),
        ...dependsOn(step),
      },
      // Made when it is looked at: of a long session not all of it fits into memory.
      get content() {
        return {
          ...(isRoot && told),
          ...stepContent(step, run, index),
          [ATTR_THOUGHTFLOW_DOCUMENT_STEP]: compactJson(step),
        };
      },
      // A root with links to its own trace is no root any more in some backends.
      links: isRoot ? [] : linksOf(step, run, ofStep, index),
    };
  });
  const isStep = records.some(
    ({ traceId, spanId }) => traceId === place.traceId && spanId === place.spanId,
  );
  if (isStep) return records;
  const root: SpanRecord = {
    ...recordOf(session, place, run),
    name: run.agent === undefined ? (run.name ?? "run") : `invoke_agent ${run.agent}`,
    status: run.status === "error" ? { code: "error" } : { code: "unset" },
    attributes: { ...sharedAttributes(session, [at], 0), ...ofRunItself },
    content: told,
  };
  return [root, ...records];
}

interface Timed {
  readonly started_at?: string | undefined;
  readonly ended_at?: string | undefined;
}

function recordOf(
  session: Session,
  place: SpanPlace,
  own: Timed,
  outer: Timed = session,
): SpanRecord {
  const start =
    nanoseconds(own.started_at) ??
    nanoseconds(own.ended_at) ??
    nanoseconds(outer.started_at) ??
    nanoseconds(session.started_at) ??
    "0";
  return {
    type: "span_end",
    ...place,
    name: "",
    kind: "internal",
    startTimeUnixNano: start,
    endTimeUnixNano: nanoseconds(own.ended_at) ?? start,
    status: { code: "unset" },
    attributes: {},
    events: [],
    links: [],
    scope: { name: "thoughtflow" },
    resource: resourceOf(session),
  };
}

function sharedAttributes(
  { session_id, revision = 0 }: Session,
  place: readonly number[],
  seq: number,
): Attributes {
  return {
    [ATTR_SESSION_ID]: session_id,
    [ATTR_THOUGHTFLOW_DOCUMENT_REVISION]: revision,
    [ATTR_THOUGHTFLOW_DOCUMENT_PLACE]: place,
    [ATTR_THOUGHTFLOW_SEQ]: seq,
  };
}

/** What of a document's resource a span can have. */
function resourceOf({ resource }: Session): Attributes {
  const told = Object.entries((resource as object | undefined) ?? {}).filter(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value),
  );
  return Object.fromEntries(told);
}

function statusOf({ status, error }: Step): SpanRecord["status"] {
  if (status === "cancelled" || (status !== "error" && error === undefined))
    return { code: "unset" };
  return { code: "error", ...(error?.message !== undefined && { message: error.message }) };
}

function dependsOn({ depends_on: on }: Step): Attributes {
  if (on === undefined) return {};
  return { [ATTR_THOUGHTFLOW_DEPENDS_ON]: typeof on === "string" ? [on] : on };
}

function linksOf(
  { edges = [] }: Step,
  run: Run,
  ofStep: ReadonlyMap<Step, SpanPlace>,
  index: StepIndex,
): readonly SpanLink[] {
  return edges.flatMap(({ to, type, origin }) => {
    const target = index(to, run)?.step;
    const place = target && ofStep.get(target);
    if (place === undefined) return [];
    const attributes = {
      [ATTR_THOUGHTFLOW_LINK_TYPE]: type,
      [ATTR_THOUGHTFLOW_EDGE_ORIGIN]: origin,
    };
    return [{ ...place, attributes }];
  });
}

function nanoseconds(time: string | undefined): string | undefined {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) || ms < 0 ? undefined : `${BigInt(ms) * 1_000_000n}`;
}
