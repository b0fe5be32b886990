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
  ATTR_THOUGHTFLOW_CALL,
  OPERATION_REALTIME_SESSION,
} from "@thoughtflow/semconv";
import { addChunk, endEarly, endWithAnswer } from "../call-end.ts";
import { startCall } from "../call-start.ts";
import { guarded } from "../degradation.ts";
import type { ObservedEndpoint } from "../endpoints.ts";
import type { ModelCall } from "../model-call.ts";
import type { Observer } from "../observer.ts";
import { socketEndpoint } from "./socket-endpoint.ts";
import { createSocketRequests } from "./socket-requests.ts";

/** What all of openai's classes over a WebSocket have. */
export interface SdkSocket {
  readonly url?: URL;
  readonly socket?: { addEventListener?(name: "close", listener: () => void): void };
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
  readonly response?: { readonly id?: unknown };
  readonly response_id?: unknown;
  readonly error?: { readonly code?: unknown; readonly type?: unknown; readonly message?: unknown };
}

const FINAL: ReadonlySet<unknown> = new Set([
  "response.done",
  "response.completed",
  "response.failed",
  "response.incomplete",
]);

const sessions = new WeakMap<SdkSocket, SocketSession>();

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
  const open = new Map<unknown, ModelCall>();

  function received(event: Event): void {
    requests.received(event);
    const id = event.response?.id ?? event.response_id ?? [...open.keys()].at(-1);
    if (event.type === "response.created") begin(id);
    if (event.type === "error") noteError(event);
    const call = open.get(id);
    if (call === undefined || !String(event.type).startsWith("response.")) return;
    addChunk(call, event);
    if (!FINAL.has(event.type)) return;
    open.delete(id);
    endWithAnswer(call, call.fold?.response());
  }

  function begin(id: unknown): void {
    const request = requests.next();
    const call = context.with(inside, () => startCall(observer, endpoint, url, request));
    if ("content" in call) open.set(id, call);
  }

  function noteError({ error }: Event): void {
    const type = String(error?.code ?? error?.type ?? "_OTHER");
    const message = typeof error?.message === "string" ? error.message : type;
    span.setAttribute(ATTR_ERROR_TYPE, type);
    span.setStatus({ code: SpanStatusCode.ERROR, message });
  }

  function close(): void {
    for (const call of open.values()) endEarly(call, "aborted");
    open.clear();
    sessions.delete(socket);
    span.end();
    observer.sink?.onEnd(span);
  }

  const onClose = (): void => guarded("ending a socket's span", close);
  socket.on("event", (event) =>
    guarded("reading an event", () => received((event ?? {}) as Event)),
  );
  if (typeof socket.stream === "function") socket.on("close", onClose);
  else socket.socket?.addEventListener?.("close", onClose);
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
