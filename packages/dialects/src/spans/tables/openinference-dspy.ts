import { ATTR_GEN_AI_TOOL_NAME, OPERATION_EXECUTE_TOOL } from "@thoughtflow/semconv";
import type { Reader } from "../reader.ts";
import { row } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const calledName: Reader = {
  as: "the span's name, up to `.__call__`",
  read: ({ record }) => /^(.+)\.__call__$/.exec(record.name)?.[1],
};

export const openInferenceDspy: SpanDialect = {
  name: "DSPy through OpenInference",
  about:
    "OpenInference's instrumentation of DSPy names the span of a tool by the method that runs it",
  signs: [],
  scopes: ["openinference.instrumentation.dspy"],
  kinds: [],
  rows: [row(ATTR_GEN_AI_TOOL_NAME, calledName, SPAN_NAME, [OPERATION_EXECUTE_TOOL])],
};
