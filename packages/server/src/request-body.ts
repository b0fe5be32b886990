import type { IncomingMessage } from "node:http";
import * as zlib from "node:zlib";
import type { BodyMemory } from "./body-memory.ts";
import type { ServerConfig } from "./server-options.ts";

/** Why a body is not taken. */
export class RefusedBodyError extends Error {
  override readonly name = "RefusedBodyError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Limits = Pick<ServerConfig, "maxBodyBytes" | "maxRatio">;
type Decompress = (
  bytes: Uint8Array,
  options: zlib.ZlibOptions,
  done: (error: Error | null, result: Buffer) => void,
) => void;

/** Short bodies may grow by more: their beginnings cost most. */
const ALWAYS_BYTES = 64 * 1024;
const CHUNK_BYTES = 128 * 1024;

/** By `Content-Encoding`; zstd where this Node has it. */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ["gzip", zlib.gunzip],
  ...("zstdDecompress" in zlib ? [["zstd", zlib.zstdDecompress as Decompress] as const] : []),
]);

/** Encodings that are understood, for `Accept-Encoding`. */
export const BODY_ENCODINGS: string = [...DECOMPRESS.keys()].join(", ");

/**
 * The body of a request, decompressed. It may lie in `memory`, and is given back there by whoever has read it.
 *
 * @throws RefusedBodyError with 413 for too much, also too much more than was sent, 415 for an encoding that is not
 *   known, 400 for bytes that it doesn't fit, or a body that breaks off
 */
export async function readBody(
  request: IncomingMessage,
  limits: Limits,
  memory?: BodyMemory,
): Promise<Buffer> {
  const encoding = String(request.headers["content-encoding"] ?? "identity").toLowerCase();
  const decompress = DECOMPRESS.get(encoding);
  if (decompress === undefined && encoding !== "identity")
    throw new RefusedBodyError(
      415,
      `Content-Encoding ${JSON.stringify(encoding.slice(0, 40))} is none of ${BODY_ENCODINGS}.`,
    );
  const length = Number(request.headers["content-length"]);
  const body =
    memory !== undefined && length <= limits.maxBodyBytes
      ? await receivedInto(memory.take(length), request)
      : await received(request, limits.maxBodyBytes);
  if (decompress === undefined) return body;
  const plain = await decompressed(decompress, body, limits, encoding);
  memory?.giveBack(body);
  return plain;
}

/** What a request says of its length, compressed as it is; all that is allowed when it doesn't. */
export function declaredLength({ headers }: IncomingMessage, { maxBodyBytes }: Limits): number {
  const length = headers["content-length"];
  return length === undefined ? maxBodyBytes : Number(length);
}

function tooLong(maxBodyBytes: number): RefusedBodyError {
  return new RefusedBodyError(413, `A request may have ${maxBodyBytes} bytes, decompressed.`);
}

/** A body whose length is known: HTTP lets no more through. */
function receivedInto(body: Buffer, request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let length = 0;
    request.on("data", (piece: Buffer) => {
      piece.copy(body, length);
      length += piece.length;
    });
    request.on("end", () => resolve(body));
    rejectWhenBrokenOff(request, reject);
  });
}

function received(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    request.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length <= most) pieces.push(piece);
      else {
        pieces.length = 0;
        reject(tooLong(most));
      }
    });
    request.on("end", () => {
      const [first = Buffer.alloc(0)] = pieces;
      resolve(pieces.length < 2 ? first : Buffer.concat(pieces, length));
    });
    rejectWhenBrokenOff(request, reject);
  });
}

function rejectWhenBrokenOff(request: IncomingMessage, reject: (error: Error) => void): void {
  const brokenOff = (): void => reject(new RefusedBodyError(400, "The request broke off."));
  request.on("error", brokenOff);
  request.on("close", brokenOff);
}

function decompressed(
  decompress: Decompress,
  body: Buffer,
  { maxBodyBytes, maxRatio }: Limits,
  encoding: string,
): Promise<Buffer> {
  const most = Math.min(maxBodyBytes, ALWAYS_BYTES + maxRatio * body.length);
  return new Promise((resolve, reject) => {
    decompress(body, { maxOutputLength: most, chunkSize: CHUNK_BYTES }, (error, result) => {
      if (error === null) resolve(result);
      else if ("code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
        reject(
          most === maxBodyBytes
            ? tooLong(maxBodyBytes)
            : new RefusedBodyError(413, `A body may grow to ${maxRatio} times its length.`),
        );
      else reject(new RefusedBodyError(400, `The body is no ${encoding}: ${error.message}.`));
    });
  });
}
