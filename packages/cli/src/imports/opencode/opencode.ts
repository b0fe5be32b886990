import type { SpanRecord } from "@thoughtflow/schema";
import { type AgentSession, createAgentSession } from "../conversation/agent-session.ts";
import type { ImportFormat } from "../import-format.ts";
import { jsonOf } from "../json-of.ts";
import { createLossCounter } from "../loss-table.ts";
import { outermostSessions } from "../outermost-sessions.ts";
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
    const left = new Set(stored.map(({ info, document }) => laterRead(info, document)));
    const others = files.filter((file) => !isOf(isStored)(file) && !isOf(isDatabase)(file));
    // Beside a storage lies what else the program keeps.
    const exports =
      others.length === files.length ? await filesOfFormat(others, opencode, report) : [];
    for (const file of exports) {
      const document = membersOf(jsonOf(await file.text()));
      countLosses(document);
      left.add(exportedSession(document));
    }
    const placeOf = ({ id, parentId }: ExportedSession) => ({
      id,
      parentId: parentId === id ? undefined : parentId,
    });
    for (const main of outermostSessions([...left], placeOf, report)) {
      left.delete(main);
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
      yield* childrenOf(main, left, session, started);
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

function* childrenOf(
  main: ExportedSession,
  left: Set<ExportedSession>,
  session: AgentSession,
  started: Map<string, string>,
): Generator<SpanRecord> {
  const known = new Set([main.id]);
  for (;;) {
    const child = [...left].find(({ parentId }) => parentId !== undefined && known.has(parentId));
    if (child === undefined) return;
    left.delete(child);
    known.add(child.id);
    session.began({
      agentId: child.id,
      at: { ms: child.ms, order: 0 },
      callId: started.get(child.id),
    });
    yield* messageSpans(session, child, child.id, started);
  }
}
