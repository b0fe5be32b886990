import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyPieces } from "./body-pieces.ts";
import type { Exchange } from "./exchange.ts";

/** What goes wrong, given to one request by its number (0 is the first). */
export type Fault =
  /** The socket is cut after so many bytes of the body. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  /** This status instead of the exchange, which the next request gets. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** No answer at all. */
  | { readonly kind: "hang" }
  /** Headers and so many bytes, then silence. */
  | { readonly kind: "stall"; readonly afterBytes: number };

export interface ReplayServerOptions {
  /** Which exchange answers: the next one (`order`, default), or the next one of the same method and path. */
  readonly match?: "order" | "path";
  /** Cuts streamed bodies at random byte offsets of this seed; absent: at the ends of events. */
  readonly splitSeed?: number;
  /** Milliseconds between the pieces of a streamed body; default 0: as fast as the socket takes them. */
  readonly pieceDelayMs?: number;
  readonly faults?: Readonly<Record<number, Fault>>;
}

/** A request as the server saw it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, else the text. */
  readonly body: unknown;
  /** True once the whole answer was sent. */
  answered: boolean;
  /** True once the client closed the socket before that. */
  aborted: boolean;
}

export interface ReplayServer {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A loopback HTTP server that answers with recorded exchanges. When none is left it answers 500 with
 * `x-should-retry: false`, so that a test sees the surplus request at once.
 */
export async function createReplayServer(
  exchanges: readonly Exchange[],
  options: ReplayServerOptions = {},
): Promise<ReplayServer> {
  const left = [...exchanges];
  const requests: ReceivedRequest[] = [];
  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = options.faults?.[requests.length];
    const received: ReceivedRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: undefined,
      answered: false,
      aborted: false,
    };
    requests.push(received);
    response.on("close", () => {
      received.answered = response.writableFinished;
      received.aborted = !response.writableFinished;
    });
    Object.assign(received, { body: await readBody(request) });
    if (fault?.kind === "hang") return;
    if (fault?.kind === "status") {
      response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
      response.end(fault.body ?? "{}");
      return;
    }
    const exchange = take(left, received, options.match ?? "order");
    if (exchange === undefined) {
      response.writeHead(500, { "content-type": "application/json", "x-should-retry": "false" });
      response.end('{"error":{"message":"no exchange is left","code":"replay_exhausted"}}');
      return;
    }
    await send(response, exchange, options, fault);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function take(
  left: Exchange[],
  received: ReceivedRequest,
  match: "order" | "path",
): Exchange | undefined {
  if (match === "order") return left.shift();
  const path = pathOf(received.path);
  const at = left.findIndex(
    (exchange) => exchange.method === received.method && pathOf(exchange.path).endsWith(path),
  );
  return at === -1 ? undefined : left.splice(at, 1)[0];
}

function pathOf(path: string): string {
  return path.split("?", 1)[0] ?? path;
}

async function send(
  response: ServerResponse,
  exchange: Exchange,
  options: ReplayServerOptions,
  fault: Fault | undefined,
): Promise<void> {
  const { status, headers, body } = exchange.response;
  response.writeHead(status, wireHeaders(headers));
  const limit = fault?.kind === "cut" || fault?.kind === "stall" ? fault.afterBytes : Infinity;
  const pieces = exchange.stream ? bodyPieces(body, options.splitSeed) : [Buffer.from(body)];
  let sent = 0;
  for (const piece of pieces) {
    if (response.destroyed) return;
    const room = limit - sent;
    const more = response.write(piece.length > room ? piece.subarray(0, room) : piece);
    sent += piece.length;
    if (sent >= limit) break;
    if (options.pieceDelayMs !== undefined) await sleep(options.pieceDelayMs);
    else if (!more) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  if (fault?.kind === "stall") return;
  if (fault?.kind === "cut") {
    // The bytes must have left before the socket goes, or the client sees less than was asked for.
    await sleep(10);
    response.destroy();
    return;
  }
  response.end();
}

/** What belongs to the recorded transport (length, encoding, connection) is not repeated. */
function wireHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const transport = new Set([
    "content-length",
    "content-encoding",
    "transfer-encoding",
    "connection",
  ]);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !transport.has(name.toLowerCase())),
  );
}
