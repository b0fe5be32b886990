import type { Session } from "@thoughtflow/schema";

/** What is made of a session, made once for all who ask, as long as somebody has the session: it must not change any more. */
export function onceASession<T extends object>(
  make: (session: Session) => T,
): (session: Session) => T {
  const made = new WeakMap<Session, T>();
  return (session) => {
    const known = made.get(session) ?? make(session);
    made.set(session, known);
    return known;
  };
}
