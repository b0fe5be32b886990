import type { AttributeValue, FlowRecord, SpanEvent } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_EVALUATION_EXPLANATION,
  ATTR_GEN_AI_EVALUATION_NAME,
  ATTR_GEN_AI_EVALUATION_SCORE_LABEL,
  ATTR_GEN_AI_EVALUATION_SCORE_VALUE,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTR_THOUGHTFLOW_SCORE_AUTHOR,
  ATTR_THOUGHTFLOW_SCORE_EDGE,
  ATTR_THOUGHTFLOW_SCORE_SOURCE,
  ATTR_THOUGHTFLOW_STEP_ID,
  EVENT_GEN_AI_EVALUATION_RESULT,
} from "@thoughtflow/semconv";
import { distinctRecords } from "./distinct-spans.ts";
import { present } from "./present.ts";
import { spanNodes, textAttribute } from "./span-node.ts";
import { isoFromNanoseconds } from "./time.ts";

/** A judgement about a session or a part of it: one line of `<session>.scores.jsonl`. */
export interface ScoreLine {
  readonly target: {
    readonly session: string;
    readonly run?: string;
    readonly step?: string;
    readonly edge?: string;
  };
  readonly name?: string;
  readonly value?: number;
  readonly label?: string;
  readonly source?: string;
  readonly author?: string;
  readonly explanation?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly scored_at?: string;
}

/** The scores of a session, oldest first; of the same set of records always the same. */
export function scoresOf(records: Iterable<FlowRecord>, sessionId: string): ScoreLine[] {
  const scored: FlowRecord[] = [];
  for (const record of records)
    if ("events" in record && record.events.some(isScore)) scored.push(record);
  return spanNodes(distinctRecords(scored).spans)
    .filter(({ record }) => textAttribute(record, ATTR_SESSION_ID) === sessionId)
    .flatMap(({ record }) => record.events)
    .filter(isScore)
    .map((event) => scoreLine(event, sessionId));
}

function isScore(event: SpanEvent): boolean {
  return event.name === EVENT_GEN_AI_EVALUATION_RESULT;
}

function scoreLine({ attributes, timeUnixNano }: SpanEvent, session: string): ScoreLine {
  const valueAt = (name: string): AttributeValue | undefined =>
    Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const text = (name: string): string | undefined => {
    const value = valueAt(name);
    return typeof value === "string" ? value : undefined;
  };
  const value = valueAt(ATTR_GEN_AI_EVALUATION_SCORE_VALUE);
  return {
    target: {
      session,
      ...present({
        run: text(ATTR_THOUGHTFLOW_RUN_ID),
        step: text(ATTR_THOUGHTFLOW_STEP_ID),
        edge: text(ATTR_THOUGHTFLOW_SCORE_EDGE),
      }),
    },
    ...present({
      name: text(ATTR_GEN_AI_EVALUATION_NAME),
      value: typeof value === "number" ? value : undefined,
      label: text(ATTR_GEN_AI_EVALUATION_SCORE_LABEL),
      source: text(ATTR_THOUGHTFLOW_SCORE_SOURCE),
      author: text(ATTR_THOUGHTFLOW_SCORE_AUTHOR),
      explanation: text(ATTR_GEN_AI_EVALUATION_EXPLANATION),
      scored_at: isoFromNanoseconds(BigInt(timeUnixNano)),
    }),
  };
}
