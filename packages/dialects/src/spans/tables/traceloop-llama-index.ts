import {
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  OPERATION_RETRIEVAL,
} from "@thoughtflow/semconv";
import { payload, row } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const INPUT = "traceloop.entity.input";
const OUTPUT = "traceloop.entity.output";

export const traceloopLlamaIndex: SpanDialect = {
  name: "LlamaIndex.TS through Traceloop",
  about:
    "Traceloop's instrumentation of LlamaIndex.TS tells of a retriever's work as a task; tools, and calls of them in messages, it doesn't tell",
  signs: [],
  scopes: ["@traceloop/instrumentation-llamaindex"],
  kinds: [{ from: SPAN_NAME, means: { "*_retriever.retrieve": OPERATION_RETRIEVAL } }],
  rows: [
    row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("args"), INPUT, [OPERATION_RETRIEVAL]),
    row(ATTR_THOUGHTFLOW_STEP_COMPLETED, payload("result"), OUTPUT, [OPERATION_RETRIEVAL]),
  ],
};
