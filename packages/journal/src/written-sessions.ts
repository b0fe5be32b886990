/** The sessions that a writer's records have named: so that it need not read its journal when it ends. */
export interface WrittenSessions {
  /** A record names this session, or none. */
  add(sessionId: string | undefined): void;
  /** `undefined` when they were too many to remember. */
  readonly ids: readonly string[] | undefined;
}

/** With their texts some 2 MiB. */
const MOST = 10_000;

export function createWrittenSessions(): WrittenSessions {
  const ids = new Set<string>();
  return {
    add(sessionId) {
      if (sessionId !== undefined && ids.size <= MOST) ids.add(sessionId);
    },
    get ids() {
      return ids.size > MOST ? undefined : [...ids];
    },
  };
}
