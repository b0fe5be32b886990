import type { Writer } from "./segments.ts";

/** Which writers have named which session: of thousands of journals few have to be asked. */
export interface SessionWriters {
  add(sessionId: string, writer: Writer): void;
  get(sessionId: string): readonly Writer[];
}

export function createSessionWriters(): SessionWriters {
  /** Mostly there is one: a hundred thousand sets would take much memory. */
  const known = new Map<string, Writer | Set<Writer>>();
  return {
    add(sessionId, writer) {
      const before = known.get(sessionId);
      if (before === undefined) known.set(sessionId, writer);
      else if (before instanceof Set) before.add(writer);
      else if (before !== writer) known.set(sessionId, new Set([before, writer]));
    },
    get(sessionId) {
      const writers = known.get(sessionId) ?? [];
      return writers instanceof Set ? [...writers] : [writers].flat();
    },
  };
}
