import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { openSpool, parseSpoolFile } from "@thoughtflow/journal";
import { REQUEST_FORMATS, type RequestFormat } from "@thoughtflow/otlp";
import { ATTR_SESSION_ID } from "@thoughtflow/semconv";

/** A request, or what is left of one. */
interface SpooledPart {
  readonly body: Uint8Array;
  readonly spans: number;
}

/**
 * Takes the spans of these sessions out of the requests that wait to be sent; the other spans of a request wait on. A
 * request that can't be read and names a session goes whole.
 *
 * @returns the paths of the requests that held any
 */
export async function eraseSpooledSpans(
  dir: string,
  ids: ReadonlySet<string>,
): Promise<readonly string[]> {
  const marks = [...ids].flatMap(marksOf);
  const spool = join(dir, ".spool");
  const entries = await readdir(spool, { recursive: true, withFileTypes: true }).catch(() => []);
  const changed: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const body = unzipped(bytes);
    if (!holdsAny(body, marks)) continue;
    const spans = parseSpoolFile(entry.name)?.spans ?? 1;
    const left = remains({ body, spans }, formatOf(body), marks);
    const folders = entry.parentPath.slice(dir.length + 1).split(/[\\/]/);
    for (const part of left) wait(dir, folders, part, body !== bytes);
    await rm(path, { force: true });
    changed.push(path);
  }
  return changed;
}

function wait(
  dir: string,
  folders: readonly string[],
  { body, spans }: SpooledPart,
  isZipped: boolean,
): void {
  const unbound = { maxBytes: Number.POSITIVE_INFINITY, maxAgeMillis: Number.POSITIVE_INFINITY };
  const spool = openSpool({ dir, folders, ...unbound, onLoss() {} });
  spool.add(isZipped ? gzipSync(body) : body, spans)?.release();
}

/** The parts of a request that hold none of it; a half in which nothing is to be found stays as it is. */
function remains(
  part: SpooledPart,
  format: RequestFormat,
  marks: readonly Buffer[],
): readonly SpooledPart[] {
  if (!holdsAny(part.body, marks)) return [part];
  const halves = halvesOf(part.body, format);
  if (halves === undefined) return [];
  const inFirst = Math.ceil(part.spans / 2);
  return [inFirst, part.spans - inFirst].flatMap((spans, n) =>
    remains({ body: halves[n] ?? new Uint8Array(), spans }, format, marks),
  );
}

function halvesOf(body: Uint8Array, format: RequestFormat): readonly Uint8Array[] | undefined {
  try {
    return format.split(body);
  } catch {
    return undefined;
  }
}

function formatOf(body: Uint8Array): RequestFormat {
  return REQUEST_FORMATS[body[0] === OPENING_BRACE ? "http/json" : "http/protobuf"];
}

const OPENING_BRACE = 0x7b;

function unzipped(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}

function holdsAny(body: Uint8Array, marks: readonly Buffer[]): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return marks.some((mark) => bytes.includes(mark));
}

/** The attribute that names a session, as both encodings write it: a text that only speaks of it is none. */
function marksOf(id: string): readonly Buffer[] {
  const value = lengthDelimited(1, Buffer.from(id));
  const key = lengthDelimited(1, Buffer.from(ATTR_SESSION_ID));
  const json = `"key":"${ATTR_SESSION_ID}","value":{"stringValue":${JSON.stringify(id)}}`;
  return [Buffer.concat([key, lengthDelimited(2, value)]), Buffer.from(json)];
}

/** A field of protobuf's wire type 2. */
function lengthDelimited(field: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 0x7f; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...length, rest]), bytes]);
}
