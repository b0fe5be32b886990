import { summarizeSessions } from "./session-summary.ts";

/** A session file at one moment. */
export interface SessionState {
  readonly path: string;
  readonly revision: number;
  readonly modelCalls: number;
  readonly modifiedMs: number;
}

/** All session files of a flow directory as they are now, latest session first. */
export async function sessionStates(dir: string): Promise<readonly SessionState[]> {
  const sessions = await summarizeSessions(dir);
  return sessions.map(({ file, session: { revision, totals } }) => ({
    path: file.path,
    revision: revision ?? 0,
    modelCalls: totals?.model_calls ?? 0,
    modifiedMs: file.modifiedMs,
  }));
}

/** The files that are new or know more than before, in the order of `after`. */
export function changedSessions(
  before: readonly SessionState[],
  after: readonly SessionState[],
): readonly SessionState[] {
  const known = new Map(before.map((state) => [state.path, state]));
  return after.filter(({ path, revision, modifiedMs }) => {
    const old = known.get(path);
    return old === undefined || old.revision !== revision || old.modifiedMs !== modifiedMs;
  });
}

/** Model calls in all sessions together. */
export function modelCalls(states: readonly SessionState[]): number {
  return states.reduce((sum, state) => sum + state.modelCalls, 0);
}
