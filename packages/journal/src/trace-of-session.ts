const NAMED_AFTER_TRACE = /^(?:s|misc)_([0-9a-f]{32})$/;

/** The trace that a session is named after: its spans belong to the session without naming it. */
export function traceOfSession(sessionId: string): string | undefined {
  return NAMED_AFTER_TRACE.exec(sessionId)?.[1];
}
