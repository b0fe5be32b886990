/** What the id of a response says by itself. */
export interface ResponseOrigin {
  /** Equal for the responses that go on from each other. */
  readonly thread: string;
  /** Milliseconds since 1970, of whole seconds: when the provider took the request on. Absent where the id does not tell it. */
  readonly createdMs: number | undefined;
}

/** As OpenAI gives them: a thread, then a time in hexadecimal seconds, or until autumn 2025 the other way round. */
const THREAD_FIRST = /^resp_([0-9a-f]{16})[0-9a-f]{2}([0-9a-f]{8})[0-9a-f]{24}$/;
const TIME_FIRST = /^resp_([0-9a-f]{8})[0-9a-f]{24}([0-9a-f]{16})$/;
/** As agents that Azure hosts give them: the thread alone. */
const THREAD_ALONE = /^(?:ca)?resp_([0-9a-f]{16})00[0-9A-Za-z]{32}$/;
/** LiteLLM's proxy puts the provider's into its own, as base64. */
const WRAPPED = /;response_id:(resp_\w+)$/;

/** Absent where it tells nothing, as other servers' ids do. */
export function originOfResponse(id: string): ResponseOrigin | undefined {
  const own = WRAPPED.exec(Buffer.from(id.slice("resp_".length), "base64").toString())?.[1] ?? id;
  const [, thread, time] = THREAD_FIRST.exec(own) ?? THREAD_ALONE.exec(own) ?? [];
  if (thread !== undefined) return { thread, createdMs: millisecondsOf(time) };
  const [, timeBefore, threadBehind] = TIME_FIRST.exec(own) ?? [];
  return threadBehind === undefined
    ? undefined
    : { thread: threadBehind, createdMs: millisecondsOf(timeBefore) };
}

/** @param seconds Hexadecimal. */
function millisecondsOf(seconds: string | undefined): number | undefined {
  return seconds === undefined ? undefined : Number.parseInt(seconds, 16) * 1000;
}
