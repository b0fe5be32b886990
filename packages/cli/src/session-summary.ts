import { type FileHandle, open } from "node:fs/promises";
import { listSessions, type SessionFile } from "@thoughtflow/journal";
import { readSession, type Session } from "@thoughtflow/schema";

/** A file and its session; `conversations` may be empty, as of most files only the head is read. */
export interface SessionSummary {
  readonly file: SessionFile;
  readonly session: Session;
  /** When it ended; of one that has not, the last that is known of it. Empty where nothing is. */
  readonly last: string;
}

const HEAD_BYTES = 64 * 1024;
/** A session of thousands of agents has a long one. */
const LONGEST_HEAD_BYTES = 64 * 2 ** 20;

/** Its last steps are in so much of its end, unless what they hold is longer. */
const TAIL_BYTES = 64 * 1024;

/**
 * The sessions of a flow directory, latest first: by `last`. Of a file in canonical form only the head is read, however
 * long it is, and of a session that has not ended what stands last. Files that are no sessions, or can't be read, are left out;
 * a directory that doesn't exist has none.
 */
export async function summarizeSessions(dir: string): Promise<readonly SessionSummary[]> {
  const summaries = await Promise.all(listSessions(dir).map(summarizeSession));
  return summaries
    .filter((summary) => summary !== undefined)
    .sort((a, b) => compare(b.last, a.last) || compare(a.file.name, b.file.name));
}

/** The same of one file; `undefined` where it is none, or can't be read. */
export async function summarizeSession(file: SessionFile): Promise<SessionSummary | undefined> {
  try {
    await using handle = await open(file.path);
    const session = (await sessionOfHead(handle)) ?? sessionOf(await handle.readFile("utf8"));
    return session && { file, session, last: await lastMoment(handle, session) };
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

async function lastMoment(
  handle: FileHandle,
  { ended_at, started_at = "", agents = [] }: Session,
): Promise<string> {
  if (ended_at !== undefined) return ended_at;
  const ofAgents = agents.flatMap((one) => [one.started_at ?? "", one.ended_at ?? ""]);
  const ofSteps = (await tailOf(handle)).matchAll(MOMENT);
  return [...ofAgents, ...[...ofSteps].map(([, at = ""]) => at)].reduce(
    (last, at) => (at > last ? at : last),
    started_at,
  );
}

/** When a run or a step began or ended, by its indent in a canonical file: content stands further in. */
const MOMENT = /^ {6}(?: {4})?"(?:started|ended)_at": "([^"]+)"/gm;

async function tailOf(handle: FileHandle): Promise<string> {
  const { size } = await handle.stat();
  const from = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
  return buffer.toString("utf8", 0, bytesRead);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
