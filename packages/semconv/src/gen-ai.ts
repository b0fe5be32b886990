/**
 * GenAI names, newest generation, as literals: the npm package has them frozen at core 1.41 and deprecated.
 * Source: open-telemetry/semantic-conventions-genai main, 2026-10-09.
 */

/** The schema URL of spans with these names. */
export const GEN_AI_SCHEMA_URL = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

/** One of the `OPERATION_…` values; the list is open. */
export const ATTR_GEN_AI_OPERATION_NAME = "gen_ai.operation.name";
/** `openai`, `azure.ai.openai`, `groq` …: who answered, by the host. */
export const ATTR_GEN_AI_PROVIDER_NAME = "gen_ai.provider.name";
/** Only where the application or the API names the conversation. */
export const ATTR_GEN_AI_CONVERSATION_ID = "gen_ai.conversation.id";
/** What was asked for: `text`, `json`, `image` or `speech`. */
export const ATTR_GEN_AI_OUTPUT_TYPE = "gen_ai.output.type";

/** As the request names it. */
export const ATTR_GEN_AI_REQUEST_MODEL = "gen_ai.request.model";
/** At most so many tokens of output. */
export const ATTR_GEN_AI_REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens";
/** How many answers were asked for; absent for one. */
export const ATTR_GEN_AI_REQUEST_CHOICE_COUNT = "gen_ai.request.choice.count";
/** As given, 0 too. */
export const ATTR_GEN_AI_REQUEST_TEMPERATURE = "gen_ai.request.temperature";
/** As given, 0 too. */
export const ATTR_GEN_AI_REQUEST_TOP_P = "gen_ai.request.top_p";
/** A list of texts. */
export const ATTR_GEN_AI_REQUEST_STOP_SEQUENCES = "gen_ai.request.stop_sequences";
/** As given, 0 too. */
export const ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY = "gen_ai.request.frequency_penalty";
/** As given, 0 too. */
export const ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY = "gen_ai.request.presence_penalty";
/** A whole number. */
export const ATTR_GEN_AI_REQUEST_SEED = "gen_ai.request.seed";
/** `true` where the answer was asked for in pieces. */
export const ATTR_GEN_AI_REQUEST_STREAM = "gen_ai.request.stream";
/** Behind which event a stream was taken up again. */
export const ATTR_GEN_AI_REQUEST_STREAM_CURSOR = "gen_ai.request.stream_cursor";
/** Of embeddings: a list of `float` or `base64`. */
export const ATTR_GEN_AI_REQUEST_ENCODING_FORMATS = "gen_ai.request.encoding_formats";
/** `low`, `medium`, `high` …, as the API calls it. */
export const ATTR_GEN_AI_REQUEST_REASONING_LEVEL = "gen_ai.request.reasoning.level";
/** The answer that this request goes on from. */
export const ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID = "gen_ai.request.previous_response.id";

/** The provider's id of the answer. */
export const ATTR_GEN_AI_RESPONSE_ID = "gen_ai.response.id";
/** The model that answered, mostly with its date. */
export const ATTR_GEN_AI_RESPONSE_MODEL = "gen_ai.response.model";
/** As the API says it: `completed`, `incomplete`, `failed` … */
export const ATTR_GEN_AI_RESPONSE_STATUS = "gen_ai.response.status";
/** One for each choice, as the API gave it. */
export const ATTR_GEN_AI_RESPONSE_FINISH_REASONS = "gen_ai.response.finish_reasons";
/** Seconds. */
export const ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK = "gen_ai.response.time_to_first_chunk";

/** What every count of tokens begins with. */
export const GEN_AI_USAGE_PREFIX = "gen_ai.usage.";
/** All tokens of the input, those from the cache included. */
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS = "gen_ai.usage.input_tokens";
/** All tokens of the output, reasoning included. */
export const ATTR_GEN_AI_USAGE_OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
/** Part of the input tokens. */
export const ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS = "gen_ai.usage.cache_read.input_tokens";
/** Part of the input tokens. */
export const ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS = "gen_ai.usage.cache_write.input_tokens";
/** Part of the output tokens. */
export const ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS = "gen_ai.usage.reasoning.output_tokens";

/** Parts of the totals by modality; a text, an image or a sound token has its own price. */
export const ATTR_GEN_AI_USAGE_TEXT_INPUT_TOKENS = "gen_ai.usage.text.input_tokens";
/** Part of the output tokens. */
export const ATTR_GEN_AI_USAGE_TEXT_OUTPUT_TOKENS = "gen_ai.usage.text.output_tokens";
/** Part of the input tokens. */
export const ATTR_GEN_AI_USAGE_IMAGE_INPUT_TOKENS = "gen_ai.usage.image.input_tokens";
/** Part of the output tokens. */
export const ATTR_GEN_AI_USAGE_IMAGE_OUTPUT_TOKENS = "gen_ai.usage.image.output_tokens";
/** Part of the input tokens. */
export const ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS = "gen_ai.usage.audio.input_tokens";
/** Part of the output tokens. */
export const ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS = "gen_ai.usage.audio.output_tokens";
/** Part of the tokens read from the cache. */
export const ATTR_GEN_AI_USAGE_TEXT_CACHE_READ_INPUT_TOKENS =
  "gen_ai.usage.text.cache_read.input_tokens";
/** Part of the tokens read from the cache. */
export const ATTR_GEN_AI_USAGE_IMAGE_CACHE_READ_INPUT_TOKENS =
  "gen_ai.usage.image.cache_read.input_tokens";
/** Part of the tokens read from the cache. */
export const ATTR_GEN_AI_USAGE_AUDIO_CACHE_READ_INPUT_TOKENS =
  "gen_ai.usage.audio.cache_read.input_tokens";

/** As people read it. */
export const ATTR_GEN_AI_AGENT_NAME = "gen_ai.agent.name";
/** What the agent is for, one sentence. */
export const ATTR_GEN_AI_AGENT_DESCRIPTION = "gen_ai.agent.description";
/** The same for all runs of an agent. */
export const ATTR_GEN_AI_AGENT_ID = "gen_ai.agent.id";
/** Of what runs several agents or nodes. */
export const ATTR_GEN_AI_WORKFLOW_NAME = "gen_ai.workflow.name";
/** As the model calls it. */
export const ATTR_GEN_AI_TOOL_NAME = "gen_ai.tool.name";
/** `function`, `extension`, `datastore` … */
export const ATTR_GEN_AI_TOOL_TYPE = "gen_ai.tool.type";
/** What the model was told of the tool. */
export const ATTR_GEN_AI_TOOL_DESCRIPTION = "gen_ai.tool.description";
/** The provider's id: it joins a request, its execution and its output. */
export const ATTR_GEN_AI_TOOL_CALL_ID = "gen_ai.tool.call.id";
/** Of retrievals: where was looked. */
export const ATTR_GEN_AI_DATA_SOURCE_ID = "gen_ai.data_source.id";
/** At most so many documents. */
export const ATTR_GEN_AI_RETRIEVAL_TOP_K = "gen_ai.retrieval.top_k";
/** Numbers in a vector. */
export const ATTR_GEN_AI_EMBEDDINGS_DIMENSION_COUNT = "gen_ai.embeddings.dimension.count";

/** Content: JSON text, Opt-In on spans. */
export const ATTR_GEN_AI_SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions";
/** A list of `GenAiMessage`, JSON text. */
export const ATTR_GEN_AI_INPUT_MESSAGES = "gen_ai.input.messages";
/** A list of `GenAiMessage`, JSON text: one for each choice. */
export const ATTR_GEN_AI_OUTPUT_MESSAGES = "gen_ai.output.messages";
/** A list of definitions as the request has them, JSON text. */
export const ATTR_GEN_AI_TOOL_DEFINITIONS = "gen_ai.tool.definitions";
/** JSON text. */
export const ATTR_GEN_AI_TOOL_CALL_ARGUMENTS = "gen_ai.tool.call.arguments";
/** JSON text. */
export const ATTR_GEN_AI_TOOL_CALL_RESULT = "gen_ai.tool.call.result";

/** What was judged: `relevance` … */
export const ATTR_GEN_AI_EVALUATION_NAME = "gen_ai.evaluation.name";
/** A number, of any scale. */
export const ATTR_GEN_AI_EVALUATION_SCORE_VALUE = "gen_ai.evaluation.score.value";
/** `pass`, `good` … */
export const ATTR_GEN_AI_EVALUATION_SCORE_LABEL = "gen_ai.evaluation.score.label";
/** Why, in words; content. */
export const ATTR_GEN_AI_EVALUATION_EXPLANATION = "gen_ai.evaluation.explanation";
/** A log record with the attributes of an inference, its content structured. */
export const EVENT_GEN_AI_OPERATION_DETAILS = "gen_ai.client.inference.operation.details";
/** A score of a step or a run. */
export const EVENT_GEN_AI_EVALUATION_RESULT = "gen_ai.evaluation.result";

/** `chat_completions` or `responses`. */
export const ATTR_OPENAI_API_TYPE = "openai.api.type";
/** As asked for: `auto`, `default`, `flex`, `priority` … */
export const ATTR_OPENAI_REQUEST_SERVICE_TIER = "openai.request.service_tier";
/** What was given. */
export const ATTR_OPENAI_RESPONSE_SERVICE_TIER = "openai.response.service_tier";
/** Changes with the provider's backend. */
export const ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT = "openai.response.system_fingerprint";

/** Request parameters that the conventions have no name for stand under this prefix, as the API calls them. */
export const OPENAI_REQUEST_PREFIX = "openai.request.";
/** Counted, never kept. */
export const ATTR_OPENAI_RESPONSE_LOGPROBS = "openai.response.logprobs.count";
/** Vectors, counted and never kept. */
export const ATTR_OPENAI_RESPONSE_EMBEDDINGS = "openai.response.embeddings.count";
/** What an error body says besides its message. */
export const ATTR_OPENAI_ERROR_CODE = "openai.error.code";
/** Which parameter was wrong. */
export const ATTR_OPENAI_ERROR_PARAM = "openai.error.param";
/** `invalid_request_error` … */
export const ATTR_OPENAI_ERROR_TYPE = "openai.error.type";
/** `true` or `false`. */
export const ATTR_OPENAI_MODERATION_FLAGGED = "openai.moderation.flagged";
/** The names of those that apply. */
export const ATTR_OPENAI_MODERATION_CATEGORIES = "openai.moderation.categories";

/** On links, proposed: open-telemetry/semantic-conventions-genai#370. */
export const ATTR_GEN_AI_ATTRIBUTION_LINK_TYPE = "gen_ai.attribution.link_type";
/** A tool call, to the model call that asked for it. */
export const ATTRIBUTION_CAUSED_BY_GENERATION = "CAUSED_BY_GENERATION";
/** A model call, to the tool call whose output it reads, or to the call that it goes on from. */
export const ATTRIBUTION_INFORMED_BY = "INFORMED_BY";
/** To what is done again. */
export const ATTRIBUTION_RETRY_OF = "RETRY_OF";

/** Values of `gen_ai.operation.name`. */
export const OPERATION_CHAT = "chat";
/** A prompt that is gone on with. */
export const OPERATION_TEXT_COMPLETION = "text_completion";
/** An answer of any kind: images, speech. */
export const OPERATION_GENERATE_CONTENT = "generate_content";
/** Texts made vectors. */
export const OPERATION_EMBEDDINGS = "embeddings";
/** Documents looked for. */
export const OPERATION_RETRIEVAL = "retrieval";
/** A tool at work. */
export const OPERATION_EXECUTE_TOOL = "execute_tool";
/** An answer that was made before is read. */
export const OPERATION_FETCH_RESPONSE = "fetch_response";
/** An agent set up at a provider. */
export const OPERATION_CREATE_AGENT = "create_agent";
/** An agent's run. */
export const OPERATION_INVOKE_AGENT = "invoke_agent";
/** The run of several agents or nodes. */
export const OPERATION_INVOKE_WORKFLOW = "invoke_workflow";
/** A step `memory_read`. */
export const OPERATION_SEARCH_MEMORY = "search_memory";
/** A step `memory_write`. */
export const OPERATION_UPSERT_MEMORY = "upsert_memory";
/** Not among the convention's values, which are open. */
export const OPERATION_MODERATE = "moderate";
/** A session over a socket; not among the convention's values either. */
export const OPERATION_REALTIME_SESSION = "realtime_session";
