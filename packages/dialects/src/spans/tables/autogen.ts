import { OPERATION_MACHINERY } from "../frames.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

export const autoGen: SpanDialect = {
  name: "AutoGen's runtime",
  about:
    "AutoGen's core makes a span of each message that its agents pass on; they are told in no step, but where one failed",
  signs: [],
  scopes: ["autogen SingleThreadedAgentRuntime", "autogen GrpcWorkerAgentRuntime"],
  kinds: [
    {
      from: SPAN_NAME,
      means: {
        "autogen create *": OPERATION_MACHINERY,
        "autogen send *": OPERATION_MACHINERY,
        "autogen publish *": OPERATION_MACHINERY,
        "autogen process *": OPERATION_MACHINERY,
        "autogen ack*": OPERATION_MACHINERY,
      },
    },
  ],
  rows: [],
};
