import type { Attributes } from "@opentelemetry/api";
import type { Dialect } from "@thoughtflow/dialects";
import {
  openaiAgentDefinition,
  openaiAgentSession,
  openaiChat,
  openaiCompaction,
  openaiCompletions,
  openaiConversation,
  openaiDecisions,
  openaiEmbeddings,
  openaiFetchedResponse,
  openaiFetchedThreadRun,
  openaiImages,
  openaiModerations,
  openaiRealtime,
  openaiResponses,
  openaiSearch,
  openaiSpeech,
  openaiThreadRun,
  openaiTranscriptions,
  openaiVideos,
} from "@thoughtflow/dialects";
import { ATTR_GEN_AI_OPERATION_NAME, ATTR_THOUGHTFLOW_CALL } from "@thoughtflow/semconv";

/** One endpoint of the API, and what a request to it leaves. */
export interface Endpoint {
  /** `POST /chat/completions`; `{id}` stands for one segment, `*` for any method and for all that follows. */
  readonly route: string;
  /** The SDK's method below the client; absent where nothing but the request is seen. */
  readonly call?: string;
  /** How request and answer are read; absent: no span, the request is only counted. */
  readonly dialect?: Dialect;
  /** The same on every span. */
  readonly attributes?: Attributes;
  /** The label of its step in the file; `completes` stands for the step of the response that is fetched. */
  readonly step?:
    | "assistant_call"
    | "embedding"
    | "evaluation"
    | "retrieval"
    | "memory_write"
    | "agent"
    | "generic"
    | "completes";
  /** Whether the request holds a conversation, by which its session and run are found. */
  readonly hasHistory: boolean;
  /** The request as the dialect reads it, from the method's arguments; default: the first one. */
  readonly request?: (args: readonly unknown[]) => unknown;
}

/** An endpoint that gives a span. */
export type ObservedEndpoint = Endpoint & { readonly dialect: Dialect };

/**
 * **The** table: which operation and step every endpoint gives. An endpoint that is not in it gives one generic span;
 * so does none that the SDK has. A later row is never reached by what an earlier one takes.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  // Conversations with a model
  talk("POST /chat/completions", "chat.completions.create", openaiChat),
  talk("POST /responses", "responses.create", openaiResponses),
  talk("POST /responses", "beta.responses.create", openaiResponses),
  talk("POST /responses/compact", "responses.compact", openaiCompaction),
  talk("POST /responses/compact", "beta.responses.compact", openaiCompaction),
  fetched("GET /responses/{id}", "responses.retrieve", openaiFetchedResponse),
  fetched("GET /responses/{id}", "beta.responses.retrieve", openaiFetchedResponse),
  fetched("POST /responses/{id}/cancel", "responses.cancel", openaiFetchedResponse),
  fetched("POST /responses/{id}/cancel", "beta.responses.cancel", openaiFetchedResponse),

  // One question, one answer
  single("POST /completions", "completions.create", openaiCompletions, "assistant_call"),
  single("POST /decisions", "decisions.create", openaiDecisions, "assistant_call"),
  single("POST /embeddings", "embeddings.create", openaiEmbeddings, "embedding"),
  single("POST /moderations", "moderations.create", openaiModerations, "evaluation"),
  single("POST /images/generations", "images.generate", openaiImages, "assistant_call"),
  single("POST /images/edits", "images.edit", openaiImages, "assistant_call"),
  single("POST /images/variations", "images.createVariation", openaiImages, "assistant_call"),
  single("POST /audio/speech", "audio.speech.create", openaiSpeech, "assistant_call"),
  single(
    "POST /audio/transcriptions",
    "audio.transcriptions.create",
    openaiTranscriptions,
    "assistant_call",
  ),
  single(
    "POST /audio/translations",
    "audio.translations.create",
    openaiTranscriptions,
    "assistant_call",
  ),
  single("POST /videos", "videos.create", openaiVideos, "assistant_call"),
  single("POST /videos/edits", "videos.edit", openaiVideos, "assistant_call"),
  single("POST /videos/extensions", "videos.extend", openaiVideos, "assistant_call"),
  single("POST /videos/{id}/remix", "videos.remix", openaiVideos, "assistant_call", bodyOf),
  single(
    "POST /vector_stores/{id}/search",
    "vectorStores.search",
    openaiSearch,
    "retrieval",
    withId("vector_store_id"),
  ),

  // What later calls are given by the server
  single("POST /conversations", "conversations.create", openaiConversation, "memory_write"),
  single(
    "POST /conversations/{id}/items",
    "conversations.items.create",
    openaiConversation,
    "memory_write",
    withId("conversation"),
  ),

  // Agents that the server runs
  single("POST /agents", "beta.agents.create", openaiAgentDefinition, "generic"),
  single("POST /assistants", "beta.assistants.create", openaiAgentDefinition, "generic"),
  single("POST /agents/sessions", "beta.agents.sessions.create", openaiAgentSession, "agent"),
  single(
    "POST /agents/sessions/{id}/events",
    "beta.agents.sessions.events.create",
    openaiAgentSession,
    "agent",
    withId("session_id"),
  ),
  single(
    "GET /agents/sessions/{id}/events",
    "beta.agents.sessions.events.stream",
    openaiAgentSession,
    "agent",
    withId("session_id"),
  ),
  single("POST /threads/runs", "beta.threads.createAndRun", openaiThreadRun, "agent"),
  single(
    "POST /threads/{id}/runs",
    "beta.threads.runs.create",
    openaiThreadRun,
    "agent",
    withId("thread_id"),
  ),
  single(
    "POST /threads/{id}/runs/{id}/submit_tool_outputs",
    "beta.threads.runs.submitToolOutputs",
    openaiThreadRun,
    "agent",
    bodyOf,
  ),
  fetched("GET /threads/{id}/runs/{id}", "beta.threads.runs.retrieve", openaiFetchedThreadRun),
  fetched(
    "POST /threads/{id}/runs/{id}/cancel",
    "beta.threads.runs.cancel",
    openaiFetchedThreadRun,
  ),

  // Sockets: a span `realtime_session` for the connection, and one below it for each response
  socket("WS /responses", "ResponsesWS", openaiResponses),
  socket("WS /realtime", "OpenAIRealtimeWS", openaiRealtime),
  socket("WS /realtime, what is heard", "OpenAIRealtimeWS", openaiTranscriptions),
  socket("WS /realtime/translations", "OpenAIRealtimeTranslationWS", openaiRealtime),
  socket("WS /live/sessions", "LiveWS", openaiResponses),
  socket("WS /live/sessions/{id}/fork", "ForksWS", openaiResponses),
  socket("WS /live/sessions/{id}/attach", "SidebandWS", openaiResponses),

  // Stored things, polling, files, administration: counted by name
  ...counted(
    "GET /chat/completions/*",
    "POST /chat/completions/*",
    "DELETE /chat/completions/*",
    "DELETE /responses/{id}",
    "GET /responses/{id}/input_items",
    "POST /responses/input_tokens",
    "* /conversations/*",
    "* /agents/*",
    "* /assistants/*",
    "* /threads/*",
    "* /chatkit/*",
    "* /vaults/*",
    "* /audio/voices/*",
    "* /audio/voice_consents/*",
    "* /videos/*",
    "* /batches/*",
    "* /files/*",
    "* /uploads/*",
    "* /vector_stores/*",
    "* /containers/*",
    "* /skills/*",
    "* /models/*",
    "* /evals/*",
    "* /fine_tuning/*",
    "* /content_provenance_checks",
    "* /safety/*",
    "* /realtime/*",
    "* /live/*",
    "* /organization/*",
    "* /projects/*",
    "* /webhook_endpoints/*",
    "GET /webhook_event_types",
  ),
];

function talk(route: string, call: string, dialect: Dialect): Endpoint {
  return { ...observed(route, call, dialect), step: "assistant_call", hasHistory: true };
}

function single(
  route: string,
  call: string,
  dialect: Dialect,
  step: NonNullable<Endpoint["step"]>,
  request: Endpoint["request"] = bodyOf,
): Endpoint {
  return { ...observed(route, call, dialect), step, hasHistory: false, request };
}

function fetched(route: string, call: string, dialect: Dialect): Endpoint {
  const request = withId("previous_response_id");
  return { ...observed(route, call, dialect), step: "completes", hasHistory: false, request };
}

/** A class of its own, not a method of the client. */
function socket(route: string, name: string, dialect: Dialect): Endpoint {
  return { ...observed(route, name, dialect), step: "assistant_call", hasHistory: false };
}

function observed(route: string, call: string, dialect: Dialect) {
  const isTold = call === "chat.completions.create" || call === "responses.create";
  const attributes = {
    [ATTR_GEN_AI_OPERATION_NAME]: dialect.operation,
    ...(!isTold && { [ATTR_THOUGHTFLOW_CALL]: `openai.${call}` }),
  };
  return { route, call, dialect, attributes };
}

function counted(...routes: readonly string[]): readonly Endpoint[] {
  return routes.map((route) => ({ route, hasHistory: false }));
}

/** Ids come first, then the body; what follows are options of the request. */
function bodyOf(args: readonly unknown[]): unknown {
  return args.find((arg) => typeof arg === "object" && arg !== null);
}

/** The body with the id of what it is about, the last one of several: a thread's id precedes its run's. */
function withId(name: string): NonNullable<Endpoint["request"]> {
  return (args) => ({
    ...(bodyOf(args) as object),
    [name]: args.findLast((arg) => typeof arg === "string"),
  });
}
