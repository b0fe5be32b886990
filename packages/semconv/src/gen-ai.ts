/**
 * GenAI names, newest generation, as literals: the npm package has them frozen at core 1.41 and deprecated.
 * Source: open-telemetry/semantic-conventions-genai main, 2026-10-09.
 */

export const GEN_AI_SCHEMA_URL = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

export const ATTR_GEN_AI_OPERATION_NAME = "gen_ai.operation.name";
export const ATTR_GEN_AI_PROVIDER_NAME = "gen_ai.provider.name";
export const ATTR_GEN_AI_CONVERSATION_ID = "gen_ai.conversation.id";
export const ATTR_GEN_AI_OUTPUT_TYPE = "gen_ai.output.type";

export const ATTR_GEN_AI_REQUEST_MODEL = "gen_ai.request.model";
export const ATTR_GEN_AI_REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens";
export const ATTR_GEN_AI_REQUEST_CHOICE_COUNT = "gen_ai.request.choice.count";
export const ATTR_GEN_AI_REQUEST_TEMPERATURE = "gen_ai.request.temperature";
export const ATTR_GEN_AI_REQUEST_TOP_P = "gen_ai.request.top_p";
export const ATTR_GEN_AI_REQUEST_STOP_SEQUENCES = "gen_ai.request.stop_sequences";
export const ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY = "gen_ai.request.frequency_penalty";
export const ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY = "gen_ai.request.presence_penalty";
export const ATTR_GEN_AI_REQUEST_SEED = "gen_ai.request.seed";
export const ATTR_GEN_AI_REQUEST_STREAM = "gen_ai.request.stream";
export const ATTR_GEN_AI_REQUEST_STREAM_CURSOR = "gen_ai.request.stream_cursor";
export const ATTR_GEN_AI_REQUEST_ENCODING_FORMATS = "gen_ai.request.encoding_formats";
export const ATTR_GEN_AI_REQUEST_REASONING_LEVEL = "gen_ai.request.reasoning.level";
export const ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID = "gen_ai.request.previous_response.id";

export const ATTR_GEN_AI_RESPONSE_ID = "gen_ai.response.id";
export const ATTR_GEN_AI_RESPONSE_MODEL = "gen_ai.response.model";
export const ATTR_GEN_AI_RESPONSE_STATUS = "gen_ai.response.status";
export const ATTR_GEN_AI_RESPONSE_FINISH_REASONS = "gen_ai.response.finish_reasons";
/** Seconds. */
export const ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK = "gen_ai.response.time_to_first_chunk";

/** What every count of tokens begins with. */
export const GEN_AI_USAGE_PREFIX = "gen_ai.usage.";
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS = "gen_ai.usage.input_tokens";
export const ATTR_GEN_AI_USAGE_OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
export const ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS = "gen_ai.usage.cache_read.input_tokens";
export const ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS = "gen_ai.usage.cache_write.input_tokens";
export const ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS = "gen_ai.usage.reasoning.output_tokens";

/** Parts of the totals by modality; a text, an image or a sound token has its own price. */
export const ATTR_GEN_AI_USAGE_TEXT_INPUT_TOKENS = "gen_ai.usage.text.input_tokens";
export const ATTR_GEN_AI_USAGE_TEXT_OUTPUT_TOKENS = "gen_ai.usage.text.output_tokens";
export const ATTR_GEN_AI_USAGE_IMAGE_INPUT_TOKENS = "gen_ai.usage.image.input_tokens";
export const ATTR_GEN_AI_USAGE_IMAGE_OUTPUT_TOKENS = "gen_ai.usage.image.output_tokens";
export const ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS = "gen_ai.usage.audio.input_tokens";
export const ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS = "gen_ai.usage.audio.output_tokens";
export const ATTR_GEN_AI_USAGE_TEXT_CACHE_READ_INPUT_TOKENS =
  "gen_ai.usage.text.cache_read.input_tokens";
export const ATTR_GEN_AI_USAGE_IMAGE_CACHE_READ_INPUT_TOKENS =
  "gen_ai.usage.image.cache_read.input_tokens";
export const ATTR_GEN_AI_USAGE_AUDIO_CACHE_READ_INPUT_TOKENS =
  "gen_ai.usage.audio.cache_read.input_tokens";

export const ATTR_GEN_AI_AGENT_NAME = "gen_ai.agent.name";
export const ATTR_GEN_AI_AGENT_DESCRIPTION = "gen_ai.agent.description";
export const ATTR_GEN_AI_AGENT_ID = "gen_ai.agent.id";
export const ATTR_GEN_AI_WORKFLOW_NAME = "gen_ai.workflow.name";
export const ATTR_GEN_AI_TOOL_NAME = "gen_ai.tool.name";
export const ATTR_GEN_AI_TOOL_TYPE = "gen_ai.tool.type";
export const ATTR_GEN_AI_TOOL_DESCRIPTION = "gen_ai.tool.description";
export const ATTR_GEN_AI_TOOL_CALL_ID = "gen_ai.tool.call.id";
export const ATTR_GEN_AI_DATA_SOURCE_ID = "gen_ai.data_source.id";
export const ATTR_GEN_AI_RETRIEVAL_TOP_K = "gen_ai.retrieval.top_k";
export const ATTR_GEN_AI_EMBEDDINGS_DIMENSION_COUNT = "gen_ai.embeddings.dimension.count";

/** Content: JSON text, Opt-In on spans. */
export const ATTR_GEN_AI_SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions";
export const ATTR_GEN_AI_INPUT_MESSAGES = "gen_ai.input.messages";
export const ATTR_GEN_AI_OUTPUT_MESSAGES = "gen_ai.output.messages";
export const ATTR_GEN_AI_TOOL_DEFINITIONS = "gen_ai.tool.definitions";
export const ATTR_GEN_AI_TOOL_CALL_ARGUMENTS = "gen_ai.tool.call.arguments";
export const ATTR_GEN_AI_TOOL_CALL_RESULT = "gen_ai.tool.call.result";

export const ATTR_GEN_AI_EVALUATION_NAME = "gen_ai.evaluation.name";
export const ATTR_GEN_AI_EVALUATION_SCORE_VALUE = "gen_ai.evaluation.score.value";
export const ATTR_GEN_AI_EVALUATION_SCORE_LABEL = "gen_ai.evaluation.score.label";
export const ATTR_GEN_AI_EVALUATION_EXPLANATION = "gen_ai.evaluation.explanation";
/** A log record with the attributes of an inference, its content structured. */
export const EVENT_GEN_AI_OPERATION_DETAILS = "gen_ai.client.inference.operation.details";
export const EVENT_GEN_AI_EVALUATION_RESULT = "gen_ai.evaluation.result";

/** `chat_completions` or `responses`. */
export const ATTR_OPENAI_API_TYPE = "openai.api.type";
export const ATTR_OPENAI_REQUEST_SERVICE_TIER = "openai.request.service_tier";
export const ATTR_OPENAI_RESPONSE_SERVICE_TIER = "openai.response.service_tier";
export const ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT = "openai.response.system_fingerprint";

/** Request parameters that the conventions have no name for stand under this prefix, as the API calls them. */
export const OPENAI_REQUEST_PREFIX = "openai.request.";
/** Counted, never kept. */
export const ATTR_OPENAI_RESPONSE_LOGPROBS = "openai.response.logprobs.count";
export const ATTR_OPENAI_RESPONSE_EMBEDDINGS = "openai.response.embeddings.count";
/** What an error body says besides its message. */
export const ATTR_OPENAI_ERROR_CODE = "openai.error.code";
export const ATTR_OPENAI_ERROR_PARAM = "openai.error.param";
export const ATTR_OPENAI_ERROR_TYPE = "openai.error.type";
export const ATTR_OPENAI_MODERATION_FLAGGED = "openai.moderation.flagged";
export const ATTR_OPENAI_MODERATION_CATEGORIES = "openai.moderation.categories";

/** On links, proposed: open-telemetry/semantic-conventions-genai#370. */
export const ATTR_GEN_AI_ATTRIBUTION_LINK_TYPE = "gen_ai.attribution.link_type";
export const ATTRIBUTION_CAUSED_BY_GENERATION = "CAUSED_BY_GENERATION";
export const ATTRIBUTION_INFORMED_BY = "INFORMED_BY";
export const ATTRIBUTION_RETRY_OF = "RETRY_OF";

/** Values of `gen_ai.operation.name`. */
export const OPERATION_CHAT = "chat";
export const OPERATION_TEXT_COMPLETION = "text_completion";
export const OPERATION_GENERATE_CONTENT = "generate_content";
export const OPERATION_EMBEDDINGS = "embeddings";
export const OPERATION_RETRIEVAL = "retrieval";
export const OPERATION_EXECUTE_TOOL = "execute_tool";
export const OPERATION_FETCH_RESPONSE = "fetch_response";
export const OPERATION_CREATE_AGENT = "create_agent";
export const OPERATION_INVOKE_AGENT = "invoke_agent";
export const OPERATION_INVOKE_WORKFLOW = "invoke_workflow";
export const OPERATION_SEARCH_MEMORY = "search_memory";
export const OPERATION_UPSERT_MEMORY = "upsert_memory";
/** Not among the convention's values, which are open. */
export const OPERATION_MODERATE = "moderate";
export const OPERATION_REALTIME_SESSION = "realtime_session";
