/** ThoughtFlow's own names: few, and all under `thoughtflow.`. */

/** Counts up in a process, stamped when a span starts: the order in which things began. */
export const ATTR_THOUGHTFLOW_SEQ = "thoughtflow.seq";
/** `derived` on a root span that no program opened. */
export const ATTR_THOUGHTFLOW_ORIGIN = "thoughtflow.origin";

/** How the session id was found: `declared`, `observed` or `inferred`; with a confidence below 1 when inferred. */
export const ATTR_THOUGHTFLOW_SESSION_ORIGIN = "thoughtflow.session.origin";
/** 0 to 1; only where the session was inferred. */
export const ATTR_THOUGHTFLOW_SESSION_CONFIDENCE = "thoughtflow.session.confidence";
/** On any span of the session; the greatest `thoughtflow.seq` wins. */
export const ATTR_THOUGHTFLOW_SESSION_TITLE = "thoughtflow.session.title";
/** A list of texts; the greatest `thoughtflow.seq` wins. */
export const ATTR_THOUGHTFLOW_SESSION_TAGS = "thoughtflow.session.tags";
/** On a zero-length span that ends the session: `completed`, `error`, `aborted` or `abandoned`. */
export const ATTR_THOUGHTFLOW_SESSION_STATUS = "thoughtflow.session.status";
/**
 * On the resource where an import knows the session by something else than its own file: `copy`, another session's, which gives way
 * to what that file tells; `print`, what the program printed, which may be the latest part of it.
 */
export const ATTR_THOUGHTFLOW_SESSION_TOLD_BY = "thoughtflow.session.told_by";

/** On every span of a run. */
export const ATTR_THOUGHTFLOW_RUN_ID = "thoughtflow.run.id";
/** `user_message`, `schedule`, `event`, `agent`, `resume` or `unknown`. */
export const ATTR_THOUGHTFLOW_RUN_TRIGGER = "thoughtflow.run.trigger";
/** By what the user speaks: `text`, `voice` … */
export const ATTR_THOUGHTFLOW_RUN_CHANNEL = "thoughtflow.run.channel";
/** Set when the run did not simply succeed or fail: `aborted`. */
export const ATTR_THOUGHTFLOW_RUN_STATUS = "thoughtflow.run.status";
/** `true` on a root that goes on with the run before it in its session: an emitter made a trace of each part of a turn. */
export const ATTR_THOUGHTFLOW_RUN_GOES_ON = "thoughtflow.run.goes_on";
/** JSON text, content. */
export const ATTR_THOUGHTFLOW_RUN_INITIAL_STATE = "thoughtflow.run.initial_state";
/** JSON text, content. */
export const ATTR_THOUGHTFLOW_RUN_FINAL_STATE = "thoughtflow.run.final_state";

/** On a span that invokes an agent: the id of the agent that this one is below, where nothing tells by which of its steps it was begun. */
export const ATTR_THOUGHTFLOW_AGENT_PARENT_ID = "thoughtflow.agent.parent_id";

/** Unique in its run; absent where it is `s_<span id>`. */
export const ATTR_THOUGHTFLOW_STEP_ID = "thoughtflow.step.id";
/** What kind of step the span is: `tool_call`, `thought` …; unknown ones are kept. */
export const ATTR_THOUGHTFLOW_STEP_LABEL = "thoughtflow.step.label";
/** Set when the step did not simply succeed or fail: `cancelled`. */
export const ATTR_THOUGHTFLOW_STEP_STATUS = "thoughtflow.step.status";
/** JSON text, content: `payload_started` and `payload_completed` of a declared step. */
export const ATTR_THOUGHTFLOW_STEP_STARTED = "thoughtflow.step.started";
/** JSON text, content: `payload_completed` of a declared step. */
export const ATTR_THOUGHTFLOW_STEP_COMPLETED = "thoughtflow.step.completed";

/**
 * JSON text, content: what a model call's prompt was made of, see `PromptMakeup` in `prompt-makeup.ts`. On calls whose
 * prompt the program composed with `composePrompt`.
 */
export const ATTR_THOUGHTFLOW_PROMPT = "thoughtflow.prompt";

/**
 * JSON text, content: a model call's parameters as they were passed, `[{ request, history }, …items]`, the items those of
 * `request[history]`. Only where raw calls are captured.
 */
export const ATTR_THOUGHTFLOW_REQUEST = "thoughtflow.request";
/** JSON text, content: a model call's answer as it was parsed; of a stream folded, `aggregated: true`. As the request. */
export const ATTR_THOUGHTFLOW_RESPONSE = "thoughtflow.response";

/** What the step rests on: step ids, in full. Authoritative; links are a copy for backends that read links. */
export const ATTR_THOUGHTFLOW_DEPENDS_ON = "thoughtflow.depends_on";
/** The edge types of `thoughtflow.depends_on`, item by item; absent when all are `depends_on`. */
export const ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES = "thoughtflow.depends_on.types";
/** How each is known, item by item: `declared`, `observed` or `inferred`; absent when the program declared all. */
export const ATTR_THOUGHTFLOW_DEPENDS_ON_ORIGINS = "thoughtflow.depends_on.origins";
/** How sure each is, item by item, as decimal texts from 0 to 1; empty, or absent, where nobody says it. */
export const ATTR_THOUGHTFLOW_DEPENDS_ON_CONFIDENCES = "thoughtflow.depends_on.confidences";
/** What each was read from, item by item; empty, or absent, where nobody says it. */
export const ATTR_THOUGHTFLOW_DEPENDS_ON_EVIDENCE = "thoughtflow.depends_on.evidence";

/**
 * On a model call whose input messages leave out what came before: the span id of the call, of the same session, after whose
 * input and answer they go on. What a transcript tells, where nothing is sent again.
 */
export const ATTR_THOUGHTFLOW_CONTINUES = "thoughtflow.continues";

/**
 * Beside `thoughtflow.continues`: `true` where the input goes on from what that call was given and not from what it answered, as where it
 * is sent again, or its answer was interrupted.
 */
export const ATTR_THOUGHTFLOW_CONTINUES_QUESTION = "thoughtflow.continues_question";

/**
 * Beside `thoughtflow.continues`: so many of the input messages, from the first, are instructions that are sent with each call of the
 * conversation, or stand in what came before; those behind them are said here.
 */
export const ATTR_THOUGHTFLOW_CONTINUES_INSTRUCTIONS = "thoughtflow.continues_instructions";

/**
 * Beside `thoughtflow.continues`: of what came before, so many pieces at its end alone were sent again: words, tool calls, results.
 * 0 where the input has all that was sent. Absent where all were.
 */
export const ATTR_THOUGHTFLOW_CONTINUES_WINDOW = "thoughtflow.continues_window";

/** Beside that: so many messages of the input, behind the instructions, stand before those pieces. Absent where none does. */
export const ATTR_THOUGHTFLOW_CONTINUES_HEAD = "thoughtflow.continues_head";

/**
 * JSON text, content: a step, a run without its steps, a session without its runs, as they stand in a document. On spans
 * that a document is told in where its own spans are gone.
 */
export const ATTR_THOUGHTFLOW_DOCUMENT_STEP = "thoughtflow.document.step";
/** JSON text, content: a run without its steps. */
export const ATTR_THOUGHTFLOW_DOCUMENT_RUN = "thoughtflow.document.run";
/** JSON text, content: a session without its runs. */
export const ATTR_THOUGHTFLOW_DOCUMENT_SESSION = "thoughtflow.document.session";
/** On each of these spans, its place in the document: the number of its run, and of its step; empty for the session. */
export const ATTR_THOUGHTFLOW_DOCUMENT_PLACE = "thoughtflow.document.place";
/** Beside it, the document's revision, 0 where it tells none: of several only the parts of the latest count. */
export const ATTR_THOUGHTFLOW_DOCUMENT_REVISION = "thoughtflow.document.revision";

/** On links. */
export const ATTR_THOUGHTFLOW_LINK_TYPE = "thoughtflow.link.type";
/** On links: `declared`, `observed` or `inferred`. */
export const ATTR_THOUGHTFLOW_EDGE_ORIGIN = "thoughtflow.edge.origin";

/**
 * The structure of a model call's messages without their text, JSON: see `MessageStructure` in
 * `message-structure.ts`. Always travels, so that steps and edges exist with content off.
 */
export const ATTR_THOUGHTFLOW_MESSAGES = "thoughtflow.messages";
/** How a model call came to its end, where "it answered" is not the whole story. */
export const ATTR_THOUGHTFLOW_OUTCOME = "thoughtflow.outcome";

/**
 * The finish reasons of an answer in the API's own words, one for each choice, empty where it gave none; only where these
 * are not the words of `gen_ai.response.finish_reasons`, which are the conventions'.
 */
export const ATTR_THOUGHTFLOW_GIVEN_FINISH_REASONS = "thoughtflow.given_finish_reasons";

/** What the program called, where operation and API don't tell: `openai.images.generate`. */
export const ATTR_THOUGHTFLOW_CALL = "thoughtflow.call";
/** The class of the error that the caller got; `error.type` may be the provider's code. */
export const ATTR_THOUGHTFLOW_ERROR_CLASS = "thoughtflow.error.class";
/** How many chunks of a stream the caller has read. */
export const ATTR_THOUGHTFLOW_STREAM_CHUNKS = "thoughtflow.stream.chunks";
/** Seconds of sound that a session is charged with, where the provider counts those and no tokens. */
export const ATTR_THOUGHTFLOW_AUDIO_SECONDS = "thoughtflow.audio_seconds";
/** What the program itself says that a model call cost: US dollars, above 0. */
export const ATTR_THOUGHTFLOW_COST_STATED = "thoughtflow.cost.stated";
/** JSON text, content: the schema that an answer has to fit. */
export const ATTR_THOUGHTFLOW_OUTPUT_SCHEMA = "thoughtflow.output_schema";
/** An event for each attempt that failed and was made again by the SDK. */
export const EVENT_THOUGHTFLOW_RETRY = "thoughtflow.retry";
/** The open span of another instrumentation that reports the same model call. */
export const ATTR_THOUGHTFLOW_OUTER_SPAN_ID = "thoughtflow.outer_span_id";
/** Instead of `gen_ai.usage.` on a call that an outer span reports: whoever adds up tokens finds them once. */
export const THOUGHTFLOW_USAGE_PREFIX = "thoughtflow.usage.";
/** The input tokens without those of the cache, where an emitter counts them so. */
export const ATTR_THOUGHTFLOW_USAGE_UNCACHED_INPUT_TOKENS =
  "thoughtflow.usage.uncached.input_tokens";
/** Of the input tokens written to the cache, those it keeps for an hour, which cost more; only where there are any. */
export const ATTR_THOUGHTFLOW_USAGE_CACHE_WRITE_1H_INPUT_TOKENS =
  "thoughtflow.usage.cache_write_1h.input_tokens";

/** Name of the zero-length span that carries session attributes set outside any run. */
export const SPAN_SESSION = "thoughtflow.session";

/** On thoughts: the number on their track, the track, what they supersede and what kind of reasoning they are. */
export const ATTR_THOUGHTFLOW_THOUGHT_NUMBER = "thoughtflow.thought.number";
/** `planning`, `decision_frame` …; unknown ones are kept. */
export const ATTR_THOUGHTFLOW_THOUGHT_TYPE = "thoughtflow.thought.type";
/** Absent on the main track. */
export const ATTR_THOUGHTFLOW_THOUGHT_BRANCH_ID = "thoughtflow.thought.branch_id";
/** The number of the thought that the branch leaves from. */
export const ATTR_THOUGHTFLOW_THOUGHT_BRANCH_FROM = "thoughtflow.thought.branch_from";
/** The number of the thought that this one replaces. */
export const ATTR_THOUGHTFLOW_THOUGHT_REVISES = "thoughtflow.thought.revises";
/** The branches that end in this thought, and how: `selected`, `synthesized` or `abandoned`. */
export const ATTR_THOUGHTFLOW_THOUGHT_MERGES = "thoughtflow.thought.merges";
/** How the merged branches ended: `selected`, `synthesized` or `abandoned`. */
export const ATTR_THOUGHTFLOW_THOUGHT_RESOLUTION = "thoughtflow.thought.resolution";
/** 0 to 1, or `high`, `medium`, `low`. */
export const ATTR_THOUGHTFLOW_THOUGHT_CONFIDENCE = "thoughtflow.thought.confidence";

/** On `gen_ai.evaluation.result` events, with run id and step id for what the score is about. */
export const ATTR_THOUGHTFLOW_SCORE_SOURCE = "thoughtflow.score.source";
/** Who judged: a person, a model. */
export const ATTR_THOUGHTFLOW_SCORE_AUTHOR = "thoughtflow.score.author";
/** The id that the judged edge leads to. */
export const ATTR_THOUGHTFLOW_SCORE_EDGE = "thoughtflow.score.edge";

/** Server-sent events of the receiver: files of a session changed; a step came; a thought came. */
export const SSE_THOUGHTFLOW_ARTIFACTS = "thoughtflow.artifacts";
/** A step came. */
export const SSE_THOUGHTFLOW_STEP = "thoughtflow.step";
/** A thought came. */
export const SSE_THOUGHTFLOW_THOUGHT = "thoughtflow.thought";
