import { createAgentSession } from "../conversation/agent-session.ts";
import type { ImportFormat } from "../import-format.ts";
import { jsonOf } from "../json-of.ts";
import { createLossCounter } from "../loss-table.ts";
import { createSessionsBelow, outermostSessions } from "../outermost-sessions.ts";
import { membersOf, type PlainObject } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import type { SourceFile } from "../source-file.ts";
import { OPENCODE_LOSSES } from "./losses.ts";
import { isExport } from "./recognise.ts";
import { type ExportedSession, exportedSession } from "./records.ts";
import { messageSpans } from "./session.ts";
import {
  isDatabase,
  isStored,
  type StoredSession,
  sessionsOfDatabase,
  storedSessions,
} from "./stored-sessions.ts";

/**
 * Sessions of opencode: what `opencode export` wrote, one a file, or where the program keeps them; those that a session asked
 * for are its sub-agents.
 */
export const opencode: ImportFormat = {
  summary:
    "sessions of opencode: what `opencode export` writes, a directory of that, its opencode.db, or its storage",
  tellsNewsOnly: true,
  what: "a session of opencode",
  guessesEnds: true,
  losses: OPENCODE_LOSSES,
  takes: (name) => name.endsWith(".json") || isDatabase(name),
  recognise: isExport,
  async *read(files, report) {
    const countLosses = createLossCounter(OPENCODE_LOSSES, report);
    const stored: StoredSession[] = [...(await storedSessions(files.filter(isOf(isStored))))];
    for (const { path = "" } of files.filter(isOf(isDatabase)))
      stored.push(...sessionsOfDatabase(path));
    const sessions = stored.map(({ info, document }) => laterRead(info, document));
    const others = files.filter((file) => !isOf(isStored)(file) && !isOf(isDatabase)(file));
    // Beside a storage lies what else the program keeps.
    const exports =
      others.length === files.length ? await filesOfFormat(others, opencode, report) : [];
    for (const file of exports) {
      const document = membersOf(jsonOf(await file.text()));
      countLosses(document);
      sessions.push(exportedSession(document));
    }
    const placeOf = ({ id, parentId }: ExportedSession) => ({
      id,
      parentId: parentId === id ? undefined : parentId,
    });
    const below = createSessionsBelow(sessions, placeOf);
    for (const main of outermostSessions(sessions, placeOf, report)) {
      const session = createAgentSession({
        source: "opencode",
        sessionId: main.id,
        agentName: "opencode",
        spawning: new Set(["task"]),
        report,
        ...(main.version !== undefined && { resource: { "service.version": main.version } }),
      });
      const started = new Map<string, string>();
      yield* messageSpans(session, main, undefined, started);
      for (const child of below(main)) {
        session.began({
          agentId: child.id,
          at: { ms: child.ms, order: 0 },
          callId: started.get(child.id),
        });
        yield* messageSpans(session, child, child.id, started);
      }
      if (main.title !== undefined) session.title(main.title);
      yield* session.finish();
    }

    /** A session whose messages are read when it is its turn. */
    function laterRead(info: PlainObject, read: () => PlainObject): ExportedSession {
      return {
        ...exportedSession({ info }),
        get messages() {
          const document = read();
          countLosses(document);
          return exportedSession(document).messages;
        },
      };
    }
  },
};

function isOf(kind: (path: string) => boolean): (file: SourceFile) => boolean {
  return ({ path = "" }) => kind(path);
}
