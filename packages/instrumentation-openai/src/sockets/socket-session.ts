import type { Context, Span } from "@opentelemetry/api";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { providerOf } from "@thoughtflow/dialects";
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_THOUGHTFLOW_AUDIO_SECONDS,
  ATTR_THOUGHTFLOW_CALL,
  OPERATION_REALTIME_SESSION,
} from "@thoughtflow/semconv";
import { capturesAll, spanContentCapture } from "@thoughtflow/tracing/internal";
import { addChunk, endEarly, endWithAnswer } from "../call-end.ts";
import { startCall } from "../call-start.ts";
import { guarded } from "../degradation.ts";
import type { ObservedEndpoint } from "../endpoints.ts";
import type { ModelCall } from "../model-call.ts";
import type { Observer } from "../observer.ts";
import { tellFailure } from "../told-failure.ts";
import { observeHeardSpeech } from "./heard-speech.ts";
import { socketEndpoint } from "./socket-endpoint.ts";
import { createSocketRequests } from "./socket-requests.ts";

/** What all of openai's classes over a WebSocket have. */
export interface SdkSocket {
  readonly url?: URL;
  readonly socket?: {
    addEventListener?(name: "close", listener: (event: unknown) => void): void;
    /** The SDK's own adapters have nothing else. */
    on?(name: "close", listener: (code: unknown) => void): void;
  };
  send(event: unknown): unknown;
  on(name: string, listener: (event: unknown) => void): unknown;
  /** Only those that tell of their own end. */
  stream?: unknown;
}

/** One connection, from its first event to its end: a span, and one below it for each response. */
interface SocketSession {
  sent(event: unknown): void;
}

interface Event {
  readonly type?: unknown;
  readonly session?: { readonly model?: unknown };
  /** What a live session tells of a response of the model that it asks. */
  readonly event?: Event;
  readonly response?: { readonly id?: unknown; readonly status?: unknown };
  readonly response_id?: unknown;
  /** What was spoken in a live session, from its beginning on. */
  readonly usage?: { readonly seconds?: unknown };
  readonly error?: { readonly code?: unknown; readonly type?: unknown; readonly message?: unknown };
}

const FINAL: ReadonlySet<unknown> = new Set([
  "response.done",
  "response.completed",
  "response.failed",
  "response.incomplete",
]);

/** Normal; going away; no code given. */
const GOOD_ENDS: ReadonlySet<number> = new Set([1000, 1001, 1005]);

const sessions = new WeakMap<SdkSocket, SocketSession>();

/** The socket that a response of a live session is observed on; those beside it hear of the same responses. */
const observedOn = new Map<unknown, WeakRef<SdkSocket>>();
const REMEMBERED = 1_000;

function isObservedElsewhere(responseId: unknown, socket: SdkSocket): boolean {
  if (typeof responseId !== "string") return false;
  const known = observedOn.get(responseId)?.deref();
  if (known !== undefined && known !== socket) return true;
  observedOn.set(responseId, new WeakRef(socket));
  const [oldest] = observedOn.keys();
  if (observedOn.size > REMEMBERED) observedOn.delete(oldest);
  return false;
}

/** The session of a socket, opened by the first who asks. Its span ends when the socket closes. */
export function sessionOfSocket(observer: Observer, socket: SdkSocket): SocketSession {
  const known = sessions.get(socket);
  if (known !== undefined) return known;
  const session = openSession(observer, socket);
  sessions.set(socket, session);
  return session;
}

function openSession(observer: Observer, socket: SdkSocket): SocketSession {
  const url = socket.url?.href.replace(/^ws/, "http");
  const endpoint = socketEndpoint(socket.url?.pathname ?? "");
  const { span, inside } = startSession(observer, endpoint, socket.url);
  const requests = createSocketRequests(endpoint, socket.url?.searchParams.get("model"));
  const hear = observeHeardSpeech(observer, url);
  const open = new Map<unknown, ModelCall>();
  let hasModel = socket.url?.searchParams.has("model") === true;

  function received(told: Event): void {
    requests.received(told);
    noteModel(told);
    noteSeconds(told);
    context.with(inside, () => hear(told));
    const event = told.type === "response.event" ? (told.event ?? {}) : told;
    const id = event.response?.id ?? event.response_id ?? [...open.keys()].at(-1);
    if (event.type === "response.created") begin(id);
    if (event.type === "error") noteError(event);
    const call = open.get(id);
    if (call === undefined || !String(event.type).startsWith("response.")) return;
    addChunk(call, event);
    if (!FINAL.has(event.type)) return;
    open.delete(id);
    if (event.response?.status === "cancelled") endEarly(call, "cancelled");
    else endWithAnswer(call, call.fold?.response());
  }

  function begin(id: unknown): void {
    if (endpoint.route.startsWith("WS /live") && isObservedElsewhere(id, socket)) return;
    const request = requests.next();
    const call = context.with(inside, () => startCall(observer, endpoint, url, request));
    if ("content" in call) open.set(id, call);
  }

  /** Some sockets are told the model only when they are open. */
  function noteModel({ session }: Event): void {
    if (hasModel || typeof session?.model !== "string") return;
    hasModel = true;
    span.updateName(`${OPERATION_REALTIME_SESSION} ${session.model}`);
    span.setAttribute(ATTR_GEN_AI_REQUEST_MODEL, session.model);
  }

  function noteSeconds({ type, usage }: Event): void {
    const isTotal = type === "session.usage.updated" || type === "session.closed";
    if (isTotal && typeof usage?.seconds === "number") {
      span.setAttribute(ATTR_THOUGHTFLOW_AUDIO_SECONDS, usage.seconds);
    }
  }

  function noteError({ error }: Event): void {
    const type = String(error?.code ?? error?.type ?? "_OTHER");
    const message = typeof error?.message === "string" ? error.message : type;
    const shown = observer.captureContentOnSpans ?? spanContentCapture();
    tellFailure(span, { attributes: { [ATTR_ERROR_TYPE]: type }, message }, capturesAll(shown));
  }

  function close(code: unknown): void {
    if (typeof code === "number" && !GOOD_ENDS.has(code)) {
      span.setAttribute(ATTR_ERROR_TYPE, String(code));
      span.setStatus({ code: SpanStatusCode.ERROR, message: `closed with ${code}` });
    }
    for (const call of open.values()) endEarly(call, "aborted");
    open.clear();
    span.end();
    observer.sink?.onEnd(span);
  }

  const onClose = (told: unknown): void =>
    guarded("ending a socket's span", () =>
      close(
        typeof told === "number" ? told : (told as { readonly code?: unknown } | undefined)?.code,
      ),
    );
  socket.on("event", (event) =>
    guarded("reading an event", () => received((event ?? {}) as Event)),
  );
  if (typeof socket.stream === "function") socket.on("close", onClose);
  else if (socket.socket?.addEventListener) socket.socket.addEventListener("close", onClose);
  else socket.socket?.on?.("close", onClose);
  return { sent: (event) => requests.sent(event) };
}

function startSession(
  observer: Observer,
  endpoint: ObservedEndpoint,
  url: URL | undefined,
): { readonly span: Span; readonly inside: Context } {
  const caller = context.active();
  const { name: provider, address, port } = providerOf(url?.href.replace(/^ws/, "http"));
  const model = url?.searchParams.get("model");
  const span = observer.tracer.startSpan(
    model == null ? OPERATION_REALTIME_SESSION : `${OPERATION_REALTIME_SESSION} ${model}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_REALTIME_SESSION,
        [ATTR_GEN_AI_PROVIDER_NAME]: provider,
        [ATTR_THOUGHTFLOW_CALL]: `openai.${endpoint.call}`,
        ...(model != null && { [ATTR_GEN_AI_REQUEST_MODEL]: model }),
        ...(address !== undefined && { [ATTR_SERVER_ADDRESS]: address }),
        ...(port !== undefined && { [ATTR_SERVER_PORT]: port }),
      },
    },
    caller,
  );
  guarded("announcing the span", () => observer.sink?.onStart(span, caller));
  return { span, inside: trace.setSpan(caller, span) };
}
