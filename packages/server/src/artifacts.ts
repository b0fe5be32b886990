import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileNameOf, listSessions, partsOf } from "@thoughtflow/journal";
import { mermaid } from "@thoughtflow/render";
import type { Session } from "@thoughtflow/schema";
import { type DocumentHead, documentHead } from "./document-head.ts";
import { plainAnswer, say, sayHeaders } from "./http-answer.ts";

/** Where the files of a session are found, below the server's address. */
export interface ArtifactPaths {
  readonly json: string;
  readonly d2: string;
  readonly svg: string;
  readonly mmd: string;
}

/** A session in the index. */
export interface ListedSession extends DocumentHead, ArtifactPaths {
  readonly bytes: number;
  /** ISO 8601. */
  readonly modified_at: string;
}

const BASE = "/thoughtflow/";

/** The list of sessions is `index.json`: in the path of a session of that name its first letter is escaped. */
const LIST = "index";

export function artifactPaths(sessionId: string): ArtifactPaths {
  const base = BASE + (sessionId === LIST ? "%69ndex" : encodeURIComponent(sessionId));
  return { json: `${base}.json`, d2: `${base}.d2`, svg: `${base}.svg`, mmd: `${base}.mmd` };
}

/** In the folder of the session's other files, by the name that its document says. */
const PART = /^\/thoughtflow\/([^/]+)\/(part-\d+-[0-9a-f]{16})\.(json)$/;
const ARTIFACT = /^\/thoughtflow\/([^/]+)\.(json|d2|svg|mmd)$/;

const TYPES: Readonly<Record<string, string>> = {
  json: "application/json",
  d2: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  mmd: "text/plain; charset=utf-8",
};
/** Nothing in a picture or a text runs or loads anything. */
const INERT = {
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** A file of a session. */
export interface Artifact {
  readonly sessionId: string;
  readonly kind: string;
  /** The name of a part of the document, without extension; absent for other files. */
  readonly part?: string;
}

/** What file of which session a path means; `undefined` when it means none. */
export function artifactAt(path: string): Artifact | undefined {
  const [, whole, part, partKind] = PART.exec(path) ?? [];
  const [, encoded = whole ?? "", kind = partKind ?? ""] = ARTIFACT.exec(path) ?? [];
  if (encoded === "") return undefined;
  try {
    return { sessionId: decodeURIComponent(encoded), kind, ...(part !== undefined && { part }) };
  } catch {
    return undefined;
  }
}

/** Sends a file of a session as it is at one moment, however it changes meanwhile. */
export async function sendArtifact(
  dir: string,
  { sessionId, kind, part }: Artifact,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A session's id becomes a name that leads nowhere else.
  const name = `${join(fileNameOf(sessionId), part ?? "")}.${kind === "mmd" ? "json" : kind}`;
  const path = join(dir, name);
  // A folder that is a link has no parts.
  const isThere = part === undefined || partsOf(join(dir, fileNameOf(sessionId))).includes(path);
  const file = isThere ? await openRegular(path) : undefined;
  if (file === undefined) {
    say(
      response,
      plainAnswer(404, `There is no session ${JSON.stringify(sessionId.slice(0, 200))}.`),
    );
    return;
  }
  const { handle, size, etag } = file;
  try {
    const headers = { ...INERT, "Content-Type": TYPES[kind] ?? "text/plain", ETag: etag };
    const length = { "Content-Length": String(size) };
    if (isKnown(request.headers["if-none-match"], etag)) say(response, { status: 304, headers });
    else if (kind === "mmd") {
      const session: Session | undefined =
        size > LONGEST_DRAWN ? undefined : JSON.parse(await handle.readFile("utf8"));
      if (session === undefined || session.parts !== undefined)
        say(response, plainAnswer(404, "This session is too long for a Mermaid diagram."));
      else say(response, { status: 200, headers, body: mermaid.render(session) });
    } else if (request.method === "HEAD") {
      say(response, { status: 200, headers: { ...headers, ...length } });
    } else {
      sayHeaders(response, { status: 200, headers: { ...headers, ...length } });
      const end = Math.max(0, size - 1);
      const bytes = handle.createReadStream({ start: 0, end, autoClose: false });
      await pipeline(bytes, response).catch(unlessReaderLeft);
    }
  } finally {
    await handle.close();
  }
}

const READER_LEFT: ReadonlySet<string | undefined> = new Set([
  "ERR_STREAM_PREMATURE_CLOSE",
  "ECONNRESET",
  "EPIPE",
]);

/** Whoever goes before the end of a file has seen enough: nothing went wrong here. */
function unlessReaderLeft(error: NodeJS.ErrnoException): void {
  if (!READER_LEFT.has(error.code)) throw error;
}

async function openRegular(
  path: string,
): Promise<{ handle: FileHandle; size: number; etag: string } | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => undefined);
  const status = await handle?.stat();
  if (handle === undefined || status === undefined) return undefined;
  if (status.isFile()) {
    const etag = `"${status.ino.toString(36)}-${status.mtimeMs.toString(36)}-${status.size.toString(36)}"`;
    return { handle, size: status.size, etag };
  }
  await handle.close();
  return undefined;
}

/** Bytes of a document of which a diagram is drawn while others wait. */
const LONGEST_DRAWN = 64 * 2 ** 20;

const MOST_LISTED = 200;

/** The sessions that were written last. */
export async function listedSessions(dir: string): Promise<readonly ListedSession[]> {
  const files = listSessions(dir).slice(0, MOST_LISTED);
  const listed = await Promise.all(
    files.map(async ({ path, bytes, modifiedMs }): Promise<ListedSession | undefined> => {
      const head = await documentHead(path);
      if (head === undefined) return undefined;
      const modified_at = new Date(modifiedMs).toISOString();
      return { ...head, bytes, modified_at, ...artifactPaths(head.session_id) };
    }),
  );
  return listed.filter((one) => one !== undefined);
}

/** Whether a reader has the file as it is: of the tags that `If-None-Match` lists proxies may have made weak ones. Source: RFC 9110, 13.1.2. */
function isKnown(listed: string | undefined, etag: string): boolean {
  if (listed === undefined) return false;
  if (listed.trim() === "*") return true;
  return listed.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
