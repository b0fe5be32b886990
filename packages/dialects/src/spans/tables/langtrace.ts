import {
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";
import { itemsOf } from "../../unknown-values.ts";
import type { Reader } from "../reader.ts";
import { row, tokens } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";
import { parsedOr } from "../span-view.ts";
import { toolDefinitions } from "../tool-definitions.ts";

/** A list whose only text is the list of definitions. */
const listedTools: Reader = {
  as: "tool definitions in its texts",
  read(span, name) {
    const texts = itemsOf(span.value(name)).filter((one) => typeof one === "string");
    const listed = texts.flatMap((one) => itemsOf(parsedOr(one)));
    return listed.length > 0 ? JSON.stringify(toolDefinitions(listed)) : undefined;
  },
};

export const langtrace: SpanDialect = {
  name: "Langtrace",
  about:
    "Langtrace's SDK for Python (3): GenAI's names of 1.27, with messages in span events; calls that a model asks for are parts of its answer's content",
  signs: ["langtrace."],
  kinds: [],
  rows: [
    row(ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, tokens, "gen_ai.usage.cached_tokens"),
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, listedTools, "gen_ai.request.tools", [OPERATION_CHAT]),
  ],
};
