import { randomBytes } from "node:crypto";
import type { OtlpSpan, OtlpSpanContext } from "@thoughtflow/otlp";
import {
  ATTR_EXCEPTION_MESSAGE,
  ATTR_EXCEPTION_TYPE,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_REQUEST_TEMPERATURE,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_SERVICE_NAME,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_LINK_TYPE,
  ATTR_THOUGHTFLOW_RUN_ID,
} from "@thoughtflow/semconv";

/** As long as messages often are; Tempo cuts attributes at 2,048 bytes unless told otherwise. */
export const TEXT_BYTES = 1_500;

/** An agent's run, made up to be written and looked for again. */
export interface WrittenTrace {
  readonly traceId: string;
  readonly sessionId: string;
  /** The run, a model call, the tool that it asked for, and a step that failed. */
  readonly spans: readonly OtlpSpan[];
}

/**
 * A trace with every kind of value that our spans hold, of now, under new ids.
 *
 * @param textBytes how long the model's answer is; some backends cut texts
 */
export function writtenTrace(textBytes: number, now: number = Date.now()): WrittenTrace {
  const traceId = randomBytes(16).toString("hex");
  const sessionId = `vulture-${traceId.slice(0, 16)}`;
  const shared = { [ATTR_SESSION_ID]: sessionId, [ATTR_THOUGHTFLOW_RUN_ID]: `run-${traceId}` };
  const run = contextIn(traceId);
  const model = contextIn(traceId);
  const tool = contextIn(traceId);
  const failure = contextIn(traceId);
  const at = (milliseconds: number): [number, number] => {
    const time = now - 1_000 + milliseconds;
    // Some backends keep microseconds, and that is fine.
    return [Math.floor(time / 1_000), (time % 1_000) * 1_000_000 + 123_000];
  };
  const resource = { attributes: { [ATTR_SERVICE_NAME]: "thoughtflow-vulture" } };
  const common = {
    kind: 0,
    status: { code: 0 },
    links: [],
    events: [],
    resource,
    instrumentationScope: { name: "thoughtflow-vulture", version: "1" },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  const spans: readonly OtlpSpan[] = [
    {
      ...common,
      name: "invoke_agent vulture",
      spanContext: () => run,
      startTime: at(0),
      endTime: at(900),
      attributes: {
        ...shared,
        [ATTR_GEN_AI_OPERATION_NAME]: "invoke_agent",
        [ATTR_GEN_AI_AGENT_NAME]: "vulture",
      },
    },
    {
      ...common,
      name: "chat vulture-1",
      kind: 2,
      spanContext: () => model,
      parentSpanContext: run,
      startTime: at(10),
      endTime: at(400),
      attributes: {
        ...shared,
        [ATTR_GEN_AI_OPERATION_NAME]: "chat",
        [ATTR_GEN_AI_PROVIDER_NAME]: "openai",
        [ATTR_GEN_AI_REQUEST_MODEL]: "vulture-1",
        [ATTR_GEN_AI_REQUEST_TEMPERATURE]: 0.25,
        [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: 9_007_199_254_740_991,
        [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: ["tool_calls", "stop"],
        [ATTR_GEN_AI_OUTPUT_MESSAGES]: answerOf(textBytes),
      },
    },
    {
      ...common,
      name: "execute_tool look",
      spanContext: () => tool,
      parentSpanContext: run,
      startTime: at(410),
      endTime: at(500),
      status: { code: 1 },
      attributes: {
        ...shared,
        [ATTR_GEN_AI_OPERATION_NAME]: "execute_tool",
        [ATTR_GEN_AI_TOOL_NAME]: "look",
        [ATTR_GEN_AI_TOOL_CALL_ID]: "call_vulture",
        [ATTR_GEN_AI_TOOL_CALL_ARGUMENTS]: '{"where":"Zürich 🦅"}',
        [ATTR_THOUGHTFLOW_DEPENDS_ON]: [`s_${model.spanId}`],
      },
      links: [{ context: model, attributes: { [ATTR_THOUGHTFLOW_LINK_TYPE]: "requests" } }],
    },
    {
      ...common,
      name: "execute_tool break",
      spanContext: () => failure,
      parentSpanContext: run,
      startTime: at(510),
      endTime: at(600),
      status: { code: 2, message: "it broke" },
      attributes: {
        ...shared,
        [ATTR_GEN_AI_OPERATION_NAME]: "execute_tool",
        [ATTR_GEN_AI_TOOL_NAME]: "break",
        [ATTR_GEN_AI_TOOL_CALL_ID]: "call_broken",
      },
      events: [
        {
          name: "exception",
          time: at(590),
          attributes: { [ATTR_EXCEPTION_TYPE]: "Error", [ATTR_EXCEPTION_MESSAGE]: "it broke" },
        },
      ],
    },
  ];
  return { traceId, sessionId, spans };
}

function contextIn(traceId: string): OtlpSpanContext {
  return { traceId, spanId: randomBytes(8).toString("hex"), traceFlags: 1 };
}

function answerOf(bytes: number): string {
  const words = Buffer.from("All is well. Всё хорошо. ");
  // A letter that is cut in two at the end is made up for.
  const content = Buffer.alloc(bytes, words)
    .toString("utf8")
    .replace(/\ufffd$/, ".");
  return JSON.stringify([{ role: "assistant", parts: [{ type: "text", content }] }]);
}
