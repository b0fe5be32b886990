import {
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  OPERATION_EXECUTE_TOOL,
} from "@thoughtflow/semconv";
import { OPERATION_MACHINERY } from "../frames.ts";
import { jsonAt, row } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const TOOL = [OPERATION_EXECUTE_TOOL];

export const traceloopMcp: SpanDialect = {
  name: "MCP through Traceloop",
  about:
    "Traceloop's instrumentation of MCP's SDK for Python tells a tool's name beside its arguments, and a span of each message that is written, told where one failed",
  signs: [],
  scopes: ["opentelemetry.instrumentation.mcp.instrumentation"],
  kinds: [
    {
      from: SPAN_NAME,
      means: {
        requeststreamwriter: OPERATION_MACHINERY,
        responsestreamwriter: OPERATION_MACHINERY,
      },
    },
  ],
  rows: [
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, jsonAt("arguments"), "traceloop.entity.input", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, jsonAt("result"), "traceloop.entity.output", TOOL),
  ],
};
