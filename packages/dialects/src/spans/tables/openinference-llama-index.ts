import { OPERATION_AGENT_STEP } from "../frames.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

export const openInferenceLlamaIndex: SpanDialect = {
  name: "LlamaIndex through OpenInference",
  about:
    "OpenInference's instrumentation of LlamaIndex tells of the making of a request as a model call, beside the one that it is",
  signs: [],
  scopes: ["openinference.instrumentation.llama_index"],
  kinds: [
    {
      from: SPAN_NAME,
      means: { "*._prepare_chat_with_tools": OPERATION_AGENT_STEP },
      overrules: true,
    },
  ],
  rows: [],
};
