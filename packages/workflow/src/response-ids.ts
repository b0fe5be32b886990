/** What the id of a response says by itself. */
export interface ResponseOrigin {
  /** Equal for the responses that go on from each other. */
  readonly thread: string;
  /** Milliseconds since 1970, of whole seconds: when the provider took the request on. */
  readonly createdMs: number;
}

/** As OpenAI gives them: a thread, then a time in hexadecimal seconds, or until autumn 2025 the other way round. */
const THREAD_FIRST = /^resp_([0-9a-f]{16})[0-9a-f]{2}([0-9a-f]{8})[0-9a-f]{24}$/;
const TIME_FIRST = /^resp_([0-9a-f]{8})[0-9a-f]{24}([0-9a-f]{16})$/;
/** LiteLLM's proxy puts the provider's into its own, as base64. */
const WRAPPED = /;response_id:(resp_\w+)$/;

/** Absent where it tells nothing, as other servers' ids do. */
export function originOfResponse(id: string): ResponseOrigin | undefined {
  const own = WRAPPED.exec(Buffer.from(id.slice("resp_".length), "base64").toString())?.[1] ?? id;
  const [, thread, time] = THREAD_FIRST.exec(own) ?? [];
  const [, timeBefore, threadBehind] = TIME_FIRST.exec(own) ?? [];
  const seconds = time ?? timeBefore;
  if (seconds === undefined) return undefined;
  return {
    thread: thread ?? threadBehind ?? "",
    createdMs: Number.parseInt(seconds, 16) * 1000,
  };
}
