import type { RunHandle, SessionHandle, StepHandle } from "./handles.ts";

/** The handles of a program that nobody traces: they know the program's own ids and do nothing. */

const nothing = (): void => {};

const step: StepHandle = {
  id: "",
  runId: undefined,
  sessionId: undefined,
  spanContext: undefined,
  setOutput: nothing,
  dependsOn: nothing,
  setStatus: nothing,
  recordError: nothing,
};

const run: RunHandle = {
  id: "",
  sessionId: undefined,
  spanContext: undefined,
  setFinalState: nothing,
  dependsOn: nothing,
  setStatus: nothing,
  recordError: nothing,
};

const session: SessionHandle = {
  id: "",
  setTitle: nothing,
  setTags: nothing,
  setUser: nothing,
  end: nothing,
};

/** A step's handle that does nothing, under the id that was asked for. */
export function silentStep(id: string | undefined): StepHandle {
  return id === undefined ? step : { ...step, id };
}

/** A run's handle that does nothing, under the id that was asked for. */
export function silentRun(id: string | undefined): RunHandle {
  return id === undefined ? run : { ...run, id };
}

/** A session's handle that does nothing, under the id that was asked for. */
export function silentSession(id: string | undefined): SessionHandle {
  return id === undefined ? session : { ...session, id };
}
