import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { createJournalReader, endedJournals } from "@thoughtflow/journal";
import type { Session } from "@thoughtflow/schema";

/** The sessions that processes work on, as the journals tell them. */
export interface LiveSessions {
  /** Whether a process has written of this session. */
  has(id: string): boolean;
  /** Those of which more is known than when this was asked last, as they are now. */
  changed(): Promise<readonly Session[]>;
}

/** Of processes that have ended before, nothing is told, but of one session that is asked for by its id. */
export function createLiveSessions(dir: string, only: string | undefined): LiveSessions {
  const ended = new Set(endedJournals(dir).map(({ writer }) => writer));
  const reader = createJournalReader(dir, {
    filter: (writer) => only !== undefined || !ended.has(writer),
  });
  const known = new Map<string, number>();
  let bytes = -1;

  return {
    has(id) {
      reader.refreshSync();
      return reader.recordsOfSession(id).length > 0;
    },
    async changed() {
      const now = await journalBytes(dir);
      if (now === bytes) return [];
      bytes = now;
      reader.refreshSync();
      const ids = only === undefined ? reader.sessionIds() : [only];
      return ids.flatMap((id) => {
        const records = reader.recordsOfSession(id);
        if (records.length === known.get(id)) return [];
        known.set(id, records.length);
        return assemble(records).find((session) => session.session_id === id) ?? [];
      });
    },
  };
}

async function journalBytes(dir: string): Promise<number> {
  const folder = join(dir, ".journal");
  const names = await readdir(folder).catch(() => []);
  const sizes = names
    .filter((name) => name.endsWith(".tfj"))
    .map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
