/** By which attribute other instrumentations say what kind of span theirs is. */

/** OpenInference: `LLM`, `EMBEDDING`, `TOOL`, `CHAIN` … */
export const ATTR_OPENINFERENCE_SPAN_KIND = "openinference.span.kind";
/** Vercel AI SDK: `ai.generateText.doGenerate` is the call, `ai.generateText` the loop around it. */
export const ATTR_AI_OPERATION_ID = "ai.operationId";
/** OpenLLMetry: `chat`, `completion`, `embedding`, `rerank`. */
export const ATTR_LLM_REQUEST_TYPE = "llm.request.type";
/** Langfuse: `generation`, `embedding`, `span` … */
export const ATTR_LANGFUSE_OBSERVATION_TYPE = "langfuse.observation.type";
/** LangSmith: `llm`, `tool`, `chain` … */
export const ATTR_LANGSMITH_SPAN_KIND = "langsmith.span.kind";
