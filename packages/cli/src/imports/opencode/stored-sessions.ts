import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ImportProblem } from "../import-format.ts";
import { jsonOf } from "../json-of.ts";
import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";

/** A session where opencode keeps it. */
export interface StoredSession {
  readonly info: PlainObject;
  /** All of it, as `opencode export` would write it: read when it is asked for. */
  document(): PlainObject;
}

/** Whether a path is a database of opencode: from version 1.2 on sessions lie there. */
export function isDatabase(path: string): boolean {
  return /^opencode[^/\\]*\.db$/.test(basename(path));
}

const STORED =
  /[/\\](session|message|part)[/\\](?:ses_[^/\\]+[/\\](?=msg_))?([^/\\]+)[/\\][^/\\]+\.json$/;

/**
 * Whether a path is a file of its storage, where sessions lay before: `session/PROJECT/SESSION.json`, `message/SESSION/MESSAGE.json`,
 * `part/MESSAGE/PART.json`; in versions before 0.6 all in `session/`, as `info/SESSION.json`, `message/SESSION/MESSAGE.json` and
 * `part/SESSION/MESSAGE/PART.json`.
 */
export function isStored(path: string): boolean {
  return STORED.test(path);
}

/** The sessions of a storage, by its files. */
export async function storedSessions(
  files: readonly SourceFile[],
): Promise<readonly StoredSession[]> {
  const below = new Map<string, string[]>();
  const sessions: StoredSession[] = [];
  for (const { path = "" } of files) {
    const [, kind, owner] = STORED.exec(path) ?? [];
    const key = `${kind} ${owner}`;
    below.set(key, [...(below.get(key) ?? []), path]);
  }
  const read = (kind: string, owner: string): readonly PlainObject[] =>
    (below.get(`${kind} ${owner}`) ?? []).map((path) =>
      membersOf(jsonOf(readFileSync(path, "utf8"))),
    );
  for (const file of files) {
    const directory = dirname(dirname(file.path ?? ""));
    if (basename(directory) !== "session") continue;
    const info = membersOf(jsonOf(await file.text()));
    // What a session was shared by lies there, too, in old versions.
    if (idOf(info) === "") continue;
    sessions.push({
      info,
      document: () => ({
        info,
        messages: read("message", idOf(info))
          .toSorted(byTime)
          .map((message) => ({ info: message, parts: read("part", idOf(message)) })),
      }),
    });
  }
  return sessions;
}

/**
 * The sessions of a database, which is only read.
 *
 * @throws ImportProblem when it is none of opencode, or this Node has no SQLite.
 */
export function sessionsOfDatabase(path: string): readonly StoredSession[] {
  const sqlite = process.getBuiltinModule?.("node:sqlite");
  if (sqlite === undefined)
    throw new ImportProblem(
      "a database takes Node 22.13 or newer; `opencode export SESSION` writes what any Node reads",
    );
  try {
    const database = new sqlite.DatabaseSync(path, { readOnly: true });
    const rows: Rows = (sql, ...values) =>
      database.prepare(sql).all(...values) as readonly PlainObject[];
    return storedIn(rows);
  } catch (error) {
    throw new ImportProblem(`it is no database of opencode (${(error as Error).message})`);
  }
}

type Rows = (sql: string, ...values: string[]) => readonly PlainObject[];

/** Version 2.0 copies sessions into tables of its own, one after the other, and leaves those that they stood in. */
function storedIn(rows: Rows): readonly StoredSession[] {
  const tables = new Set(rows("SELECT name FROM sqlite_master").map(({ name }) => name));
  const isNew = tables.has("session_v2") && tables.has("session_message");
  const sessionsIn = (table: string) =>
    rows(`SELECT * FROM ${table} ORDER BY time_created, id`).map(infoOf);
  const copied = new Set(
    isNew
      ? rows(
          "SELECT DISTINCT session_id FROM session_message WHERE type IN ('user', 'assistant')",
        ).map((row) => row["session_id"])
      : [],
  );
  const newer = (isNew ? sessionsIn("session_v2") : []).filter(({ id }) => copied.has(id));
  const older = tables.has("session") || !isNew ? sessionsIn("session") : [];
  return [
    ...older
      .filter(({ id }) => !copied.has(id))
      .map((info) => ({
        info,
        document: () => ({ info, messages: messagesIn(rows, idOf(info)) }),
      })),
    ...newer.map((info) => ({
      info,
      document: () => ({ info, messages: flatMessagesIn(rows, idOf(info)) }),
    })),
  ];
}

function infoOf(row: PlainObject): PlainObject {
  return {
    id: row["id"],
    parentID: row["parent_id"],
    forkedFrom: row["fork_session_id"],
    title: row["title"],
    version: row["version"],
    time: { created: row["time_created"], updated: row["time_updated"] },
  };
}

function messagesIn(rows: Rows, sessionId: string): readonly PlainObject[] {
  const parts = new Map<unknown, PlainObject[]>();
  for (const part of rows("SELECT * FROM part WHERE session_id = ? ORDER BY id", sessionId)) {
    const { message_id: owner } = part;
    const own = parts.get(owner);
    if (own === undefined) parts.set(owner, [bodyOf(part)]);
    else own.push(bodyOf(part));
  }
  return rows(
    "SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id",
    sessionId,
  ).map((message) => ({ info: bodyOf(message), parts: parts.get(message["id"]) ?? [] }));
}

function flatMessagesIn(rows: Rows, sessionId: string): readonly PlainObject[] {
  return rows("SELECT * FROM session_message WHERE session_id = ? ORDER BY seq", sessionId).map(
    (row) => ({ type: row["type"], ...bodyOf(row) }),
  );
}

/** What stands beside the columns, with the id that is one of them; of bytes each would be a member. */
function bodyOf({ id, data }: PlainObject): PlainObject {
  return { id, ...membersOf(typeof data === "string" ? jsonOf(data) : undefined) };
}

function idOf({ id }: PlainObject): string {
  return textOf(id) ?? "";
}

function byTime(one: PlainObject, other: PlainObject): number {
  const [first, second] = [one, other].map(({ time }) =>
    Number(membersOf(time)["created"] ?? 0),
  ) as [number, number];
  return first - second || (idOf(one) < idOf(other) ? -1 : 1);
}
