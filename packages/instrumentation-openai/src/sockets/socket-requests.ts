import type { ObservedEndpoint } from "../endpoints.ts";

/** What the next response of a socket answers, gathered from the events of both sides. */
export interface SocketRequests {
  sent(event: unknown): void;
  received(event: unknown): void;
  /** The request of a response that begins now, as the endpoint's dialect reads it. */
  next(): unknown;
}

type Properties = Readonly<Record<string, unknown>>;

/** Gathers the requests of a socket in the way of its endpoint; `model` is the one that its URL names. */
export function createSocketRequests(
  { route }: ObservedEndpoint,
  model: string | null | undefined,
): SocketRequests {
  if (route === "WS /responses") return responsesRequests();
  return route.startsWith("WS /live") ? liveRequests() : realtimeRequests(model);
}

/** Each response has an event of its own, which is its request. */
function responsesRequests(): SocketRequests {
  const waiting: Properties[] = [];
  return {
    sent: (event) => {
      const { type, ...request } = (event ?? {}) as Properties;
      if (type === "response.create") waiting.push({ stream: true, ...request });
    },
    received: () => {},
    next: () => waiting.shift() ?? {},
  };
}

/** A live session hands work on to a model of its own choice, as its settings say; the task itself is not told. */
function liveRequests(): SocketRequests {
  let delegate: Properties = {};
  const read = (event: unknown) => {
    const { session } = (event ?? {}) as { readonly session?: Properties };
    const delegation = session?.["delegation"] as Properties | undefined;
    delegate = { ...delegate, ...(delegation?.["responses"] as Properties | undefined) };
  };
  return { sent: read, received: read, next: () => ({ ...delegate, stream: true }) };
}

/** A session has its settings, and grows by items until somebody or the server's own ear has a response made. */
function realtimeRequests(model: string | null | undefined): SocketRequests {
  let session: Properties = { ...(model != null && { model }) };
  let asked: Properties = {};
  let items: unknown[] = [];
  return {
    sent: (event) => {
      const { type, response } = (event ?? {}) as Properties;
      if (type === "response.create") asked = { ...(response as Properties | undefined) };
    },
    received: (event) => {
      const { type, session: settings, item } = (event ?? {}) as Properties;
      if (type === "session.created" || type === "session.updated") {
        session = { ...session, ...(settings as Properties | undefined) };
      }
      // Newer servers say `added` where older ones said `created`.
      const isNew = type === "conversation.item.added" || type === "conversation.item.created";
      if (isNew && (item as Properties | undefined)?.["role"] !== "assistant") items.push(item);
    },
    next: () => {
      const request = { ...session, stream: true, ...asked, input: items };
      asked = {};
      items = [];
      return request;
    },
  };
}
