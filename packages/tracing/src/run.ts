import type { Context } from "@opentelemetry/api";
import { context } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_WORKFLOW_NAME,
  OPERATION_INVOKE_WORKFLOW,
} from "@thoughtflow/semconv";
import { attempt } from "./attempt.ts";
import { checkArgument, checkFunction, optionCheck } from "./checks.ts";
import { runOf, sessionOf } from "./flow-context.ts";
import type { RunHandle } from "./handles.ts";
import { observeResult } from "./observe-result.ts";
import { openRun, type RunDescription } from "./open-run.ts";
import { type SessionOptions, withSession } from "./session.ts";
import { silentRun } from "./silence.ts";
import { withStep } from "./step.ts";
import { activeTracer, isLocalRoot } from "./tracer.ts";

/** One run. */
export interface RunOptions extends RunDescription {
  /** The run's session, by id or with more: the same as a `withSession` around the run. */
  readonly session?: string | SessionOptions;
}

const checkRunOptions = optionCheck("withRun", {
  id: "id",
  name: "string",
  agent: "string",
  workflow: "string",
  trigger: "string",
  channel: "string",
  user: "string",
  dependsOn: "dependencies",
  attributes: "object",
});

/**
 * Runs a function as a run of the session: one task, from what sets it off to its end. Its value and its
 * errors reach the caller unchanged. A run inside a run is a run of its own only in a trace of its own; in the
 * same trace it is a sub-agent, a step `agent` of the outer run.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function withRun<T>(options: RunOptions, fn: (run: RunHandle) => T): T {
  checkRunOptions(options);
  checkFunction("withRun", fn);
  if (options.session !== undefined) return withRunOfSession(options.session, options, fn);
  const tracer = activeTracer();
  if (tracer === undefined) return fn(silentRun(options.id));
  const outside = context.active();
  if (attempt(() => isSubAgent(outside))) return withSubAgent(options, fn);
  const run = openRun(tracer, outside, options);
  if (run === undefined) return fn(silentRun(options.id));
  return observeResult(() => context.with(run.context, fn, undefined, run.handle), {
    returned: run.end,
    threw: run.fail,
  });
}

/** The run that is open here, if one is; inside a sub-agent the outer run. */
export function activeRun(): RunHandle | undefined {
  return runOf(context.active())?.handle;
}

function withRunOfSession<T>(
  session: string | SessionOptions,
  { session: _, ...options }: RunOptions,
  fn: (run: RunHandle) => T,
): T {
  if (typeof session !== "object") checkArgument("withRun", "session", "id", session);
  const sessionOptions = typeof session === "object" ? session : { id: session };
  return withSession(sessionOptions, () => withRun(options, fn));
}

function isSubAgent(outside: Context): boolean {
  const run = runOf(outside);
  const isSameSession = run?.handle.sessionId === sessionOf(outside)?.sessionId;
  return run !== undefined && isSameSession && !isLocalRoot(outside);
}

/** The step's result is the final state; `trigger`, `channel` and `user` are the outer run's. */
function withSubAgent<T>(description: RunDescription, fn: (run: RunHandle) => T): T {
  const { id, name, agent, workflow, initialState, dependsOn, attributes } = description;
  const called = workflow ?? agent ?? name;
  return withStep(
    {
      label: workflow === undefined ? "agent" : "node",
      ...(called !== undefined && { name: called }),
      ...(id !== undefined && { id }),
      ...(dependsOn !== undefined && { dependsOn }),
      input: initialState,
      attributes: {
        ...(workflow !== undefined && {
          [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_INVOKE_WORKFLOW,
          [ATTR_GEN_AI_WORKFLOW_NAME]: workflow,
        }),
        ...attributes,
      },
    },
    (step) => fn({ ...step, setFinalState: step.setOutput }),
  );
}
