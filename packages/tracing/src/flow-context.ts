import type { Attributes, Context, Link, SpanContext } from "@opentelemetry/api";
import { createContextKey } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_RUN_ID,
} from "@thoughtflow/semconv";
import type { RunHandle, SessionHandle, StepHandle } from "./handles.ts";
import type { StepReference } from "./step-reference.ts";

/** The session that the program declared for what happens in a context. */
export interface SessionScope {
  readonly sessionId: string;
  readonly origin: "declared";
  /** Whether the id is the program's own: only such an id is also a `gen_ai.conversation.id`. */
  readonly isOwnId: boolean;
  readonly handle: SessionHandle;
  /** As last set; the run spans that follow carry them. */
  title?: string | undefined;
  tags?: readonly string[] | undefined;
  user?: string | undefined;
}

/** The open run of a context. */
export interface RunScope {
  readonly runId: string;
  readonly handle: RunHandle;
  /** Where the run's named steps are, so that a dependency by id can be a link too. */
  readonly named: Map<string, SpanContext>;
  /** The run's snapshots by id: one for each content. */
  readonly snapshots: Map<string, StepReference>;
  /** Links of the run that its next step carries for it. */
  readonly links: Link[];
}

// The API makes keys with `Symbol.for`, so that two copies of this package agree on them.
const SESSION = createContextKey("thoughtflow.session.v1");
const RUN = createContextKey("thoughtflow.run.v1");
const STEP = createContextKey("thoughtflow.step.v1");

/** The session that `withSession` declared, if any. */
export function sessionOf(context: Context): SessionScope | undefined {
  return context.getValue(SESSION) as SessionScope | undefined;
}

/** A context in which `sessionOf` gives this session. */
export function setSession(context: Context, scope: SessionScope): Context {
  return context.setValue(SESSION, scope);
}

/** The run that `withRun`, or a step outside any run, opened. */
export function runOf(context: Context): RunScope | undefined {
  return context.getValue(RUN) as RunScope | undefined;
}

/** A context in which `runOf` gives this run, and no step is open. */
export function setRun(context: Context, scope: RunScope): Context {
  return context.setValue(RUN, scope).deleteValue(STEP);
}

/** The innermost open step. */
export function stepOf(context: Context): StepHandle | undefined {
  return context.getValue(STEP) as StepHandle | undefined;
}

/** A context in which `stepOf` gives this step. */
export function setStep(context: Context, step: StepHandle): Context {
  return context.setValue(STEP, step);
}

/** What every span started in a context says of its session and run; empty outside of both. */
export function flowAttributesOf(context: Context): Attributes {
  const session = sessionOf(context);
  const run = runOf(context);
  return {
    ...(session && sessionIdAttributes(session)),
    ...(run && { [ATTR_THOUGHTFLOW_RUN_ID]: run.runId }),
  };
}

/** The session's id; also as the conversation's, but only where the program chose it. */
export function sessionIdAttributes({ sessionId, isOwnId }: SessionScope): Attributes {
  return {
    [ATTR_SESSION_ID]: sessionId,
    ...(isOwnId && { [ATTR_GEN_AI_CONVERSATION_ID]: sessionId }),
  };
}
