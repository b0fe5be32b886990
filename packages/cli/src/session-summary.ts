import { type FileHandle, open } from "node:fs/promises";
import { listSessions, type SessionFile } from "@thoughtflow/journal";
import { readSession, type Session } from "@thoughtflow/schema";

/** A file and its session; `conversations` may be empty, as of most files only the head is read. */
export interface SessionSummary {
  readonly file: SessionFile;
  readonly session: Session;
}

const HEAD_BYTES = 64 * 1024;
/** A session of thousands of agents has a long one. */
const LONGEST_HEAD_BYTES = 64 * 2 ** 20;

/**
 * The sessions of a flow directory, latest first: by their greatest `ended_at`, else `started_at`. Of a file in
 * canonical form only the head is read, however long it is. Files that are no sessions, or can't be read, are left out;
 * a directory that doesn't exist has none.
 */
export async function summarizeSessions(dir: string): Promise<readonly SessionSummary[]> {
  const summaries = await Promise.all(listSessions(dir).map(summarizeSession));
  return summaries
    .filter((summary) => summary !== undefined)
    .sort(
      (a, b) =>
        compare(lastMoment(b.session), lastMoment(a.session)) || compare(a.file.name, b.file.name),
    );
}

/** The same of one file; `undefined` where it is none, or can't be read. */
export async function summarizeSession(file: SessionFile): Promise<SessionSummary | undefined> {
  try {
    await using handle = await open(file.path);
    const session = (await sessionOfHead(handle)) ?? sessionOf(await handle.readFile("utf8"));
    return session && { file, session };
  } catch {
    // Removed since the directory was read, or not for us to read: one file must not cost the list.
    return undefined;
  }
}

/** The session without its runs, from a canonical file; `undefined` where the head doesn't say enough. */
async function sessionOfHead(handle: FileHandle, bytes = HEAD_BYTES): Promise<Session | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
  const end = buffer.indexOf(RUNS);
  if (end < 0)
    return bytesRead < bytes || bytes >= LONGEST_HEAD_BYTES || !buffer.includes(TOTALS)
      ? undefined
      : sessionOfHead(handle, 16 * bytes);
  const session = sessionOf(`${buffer.toString("utf8", 0, end)}"conversations":[]}`);
  return session?.totals && session;
}

const RUNS = '\n  "conversations": [';
const TOTALS = '\n  "totals": {';

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
