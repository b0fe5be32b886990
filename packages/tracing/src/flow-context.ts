import type { Context, SpanContext } from "@opentelemetry/api";
import { createContextKey } from "@opentelemetry/api";

/** The session that the program declared for what happens in a context. */
export interface SessionScope {
  readonly sessionId: string;
  readonly origin: "declared";
  /** Whether the id is the program's own: only such an id is also a `gen_ai.conversation.id`. */
  readonly isOwnId: boolean;
}

/** The open run of a context. */
export interface RunScope {
  readonly runId: string;
  /** The span that `withRun` opened. */
  readonly spanContext: SpanContext;
}

// The API makes keys with `Symbol.for`, so that two copies of this package agree on them.
const SESSION = createContextKey("thoughtflow.session.v1");
const RUN = createContextKey("thoughtflow.run.v1");

/** The session that `withSession` declared, if any. */
export function sessionOf(context: Context): SessionScope | undefined {
  return context.getValue(SESSION) as SessionScope | undefined;
}

/** The run that `withRun` opened, if any. */
export function runOf(context: Context): RunScope | undefined {
  return context.getValue(RUN) as RunScope | undefined;
}

/** A context in which `sessionOf` gives this session. */
export function setSession(context: Context, scope: SessionScope): Context {
  return context.setValue(SESSION, scope);
}

/** A context in which `runOf` gives this run. */
export function setRun(context: Context, scope: RunScope): Context {
  return context.setValue(RUN, scope);
}
