import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_STEP_ID,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  SSE_THOUGHTFLOW_STEP,
  SSE_THOUGHTFLOW_THOUGHT,
} from "@thoughtflow/semconv";

/** What a viewer is told of a span as soon as it came; the document says more, later. */
export interface StepEvent {
  readonly event: typeof SSE_THOUGHTFLOW_STEP | typeof SSE_THOUGHTFLOW_THOUGHT;
  readonly data: {
    readonly session_id: string;
    readonly trace_id: string;
    readonly span_id: string;
    readonly parent_span_id?: string;
    readonly step_id: string;
    readonly label?: string;
    readonly name: string;
    readonly status: string;
    readonly start_time_unix_nano: string;
    readonly end_time_unix_nano?: string;
    /** Of a thought: what was recorded when it began. */
    readonly payload_started?: unknown;
  };
}

const THOUGHT = "thought";

export function stepEvents(records: readonly SpanRecord[]): readonly StepEvent[] {
  return records.map((record) => {
    const { traceId, spanId, parentSpanId, name, status, attributes, content } = record;
    const label = attributes[ATTR_THOUGHTFLOW_STEP_LABEL] ?? attributes[ATTR_GEN_AI_OPERATION_NAME];
    const isThought = label === THOUGHT;
    const started = isThought ? parsed(content?.[ATTR_THOUGHTFLOW_STEP_STARTED]) : undefined;
    return {
      event: isThought ? SSE_THOUGHTFLOW_THOUGHT : SSE_THOUGHTFLOW_STEP,
      data: {
        session_id: String(attributes[ATTR_SESSION_ID] ?? `s_${traceId}`),
        trace_id: traceId,
        span_id: spanId,
        ...(parentSpanId !== undefined && { parent_span_id: parentSpanId }),
        step_id: String(attributes[ATTR_THOUGHTFLOW_STEP_ID] ?? `s_${spanId}`),
        ...(typeof label === "string" && { label }),
        name,
        status: status.code,
        start_time_unix_nano: record.startTimeUnixNano,
        ...(record.endTimeUnixNano !== undefined && {
          end_time_unix_nano: record.endTimeUnixNano,
        }),
        ...(started !== undefined && { payload_started: started }),
      },
    };
  });
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
