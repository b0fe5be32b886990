import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { readSession, type Session } from "@thoughtflow/schema";

/** A file and its session; `conversations` may be empty, as of most files only the head is read. */
export interface SessionSummary {
  readonly path: string;
  readonly session: Session;
}

const HEAD_BYTES = 64 * 1024;

/**
 * The sessions of a flow directory, latest first: by their greatest `ended_at`, else `started_at`. Of a file in
 * canonical form only the head is read, however long it is. Files that are no sessions are left out; a directory
 * that doesn't exist has none.
 */
export async function summarizeSessions(dir: string): Promise<readonly SessionSummary[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(emptyWhenMissing);
  const files = entries.filter((entry) => entry.isFile() && /^[^.].*\.json$/.test(entry.name));
  const read = await Promise.all(files.map(({ name }) => summarize(join(dir, name))));
  return read
    .filter((summary) => summary !== undefined)
    .sort(
      (a, b) => compare(lastMoment(b.session), lastMoment(a.session)) || compare(a.path, b.path),
    );
}

async function summarize(path: string): Promise<SessionSummary | undefined> {
  await using file = await open(path);
  const session = (await sessionOfHead(file)) ?? sessionOf(await file.readFile("utf8"));
  return session && { path, session };
}

/** The session without its runs, from a canonical file; `undefined` where the head doesn't say enough. */
async function sessionOfHead(file: FileHandle): Promise<Session | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.toString("utf8", 0, bytesRead);
  const end = head.indexOf('\n  "conversations": [');
  const session = end < 0 ? undefined : sessionOf(`${head.slice(0, end)}"conversations":[]}`);
  return session?.totals && session;
}

function sessionOf(text: string): Session | undefined {
  const result = readSession(text);
  return result.ok ? result.session : undefined;
}

function lastMoment({ ended_at, started_at }: Session): string {
  return ended_at ?? started_at ?? "";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function emptyWhenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
