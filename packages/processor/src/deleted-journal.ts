import type { SessionRecord } from "@thoughtflow/schema";
import type { SessionWriter } from "./session-writer.ts";
import { wallNanoseconds } from "./wall-clock.ts";

export interface DeletedJournalOptions {
  readonly sessions: Pick<SessionWriter, "ids" | "unwrittenIds">;
  readonly append: (record: SessionRecord) => void;
}

/** Has it told in a session when a journal was deleted that held some of it: what comes later would look like all of it. */
export interface DeletedJournal {
  /** Somebody has deleted the journal. */
  noticed(): void;
  /** Tells it of the sessions that are in no document yet. */
  tell(): void;
  /** A record of the session is about to be appended: of one whose document is written it is told when it goes on. */
  goesOn(sessionId: string): void;
}

export function createDeletedJournal({ sessions, append }: DeletedJournalOptions): DeletedJournal {
  /** Sessions that may have had records in it, and were not told. */
  let untold = new Set<string>();
  let isNew = false;

  function tellOf(sessionId: string): void {
    if (!untold.delete(sessionId)) return;
    const reason = "journal_deleted";
    const timeUnixNano = wallNanoseconds();
    append({ type: "session", sessionId, status: "running", reason, timeUnixNano });
  }

  return {
    noticed() {
      untold = new Set(sessions.ids());
      isNew = true;
    },
    tell() {
      if (!isNew) return;
      isNew = false;
      for (const id of sessions.unwrittenIds()) tellOf(id);
    },
    goesOn: tellOf,
  };
}
