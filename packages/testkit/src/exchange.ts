/** One request and its answer, as somebody recorded them against a real API. */
export interface Exchange {
  readonly method: string;
  /** Path with query, as the client sent it. */
  readonly path: string;
  readonly request: { readonly body: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** Decoded text, verbatim. */
    readonly body: string;
  };
  /** True when `response.body` is server-sent events. */
  readonly stream: boolean;
}

/** An exchange from the little that a hand-written test wants to say: JSON with status 200 unless told otherwise. */
export function toExchange(
  path: string,
  body: unknown,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Exchange {
  const stream = typeof body === "string";
  return {
    method: "POST",
    path,
    request: { body: null },
    response: {
      status: options.status ?? 200,
      headers: {
        "content-type": stream ? "text/event-stream; charset=utf-8" : "application/json",
        ...options.headers,
      },
      body: stream ? body : JSON.stringify(body),
    },
    stream,
  };
}
