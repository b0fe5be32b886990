import { createIdTable } from "@thoughtflow/assemble";

/** The session of each trace, in some 20 bytes of memory a trace. */
export interface TraceSessions {
  /** The session that the last of its spans named which names any. */
  of(traceId: string): string | undefined;
  /** Takes note of a span; answers the session that it names, or that the last one of its trace named. */
  take(traceId: string, sessionId: string | undefined): string | undefined;
  /** The traces of which no span has named a session. */
  readonly unnamed: Iterable<string>;
}

export function createTraceSessions(): TraceSessions {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const traces = createIdTable();
  const unnamed = new Set<string>();

  function numberOf(sessionId: string): number {
    let number = numbers.get(sessionId);
    if (number === undefined) {
      number = names.push(sessionId) - 1;
      numbers.set(sessionId, number);
    }
    return number;
  }

  function of(traceId: string): string | undefined {
    const known = traces.get(traceId);
    return known === undefined ? undefined : names[known];
  }

  return {
    of,
    take(traceId, sessionId) {
      if (sessionId !== undefined) {
        traces.set(traceId, numberOf(sessionId));
        unnamed.delete(traceId);
        return sessionId;
      }
      const known = of(traceId);
      if (known === undefined) unnamed.add(traceId);
      return known;
    },
    unnamed,
  };
}
