import { readFileSync } from "node:fs";
import type { Agent, IncomingMessage, RequestOptions } from "node:http";
import type * as https from "node:https";
import { createRequire } from "node:module";
// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { context, createContextKey, ROOT_CONTEXT } from "@opentelemetry/api";
import type { OtlpDestination } from "./options.ts";

/** What came of a request. `status` 0: nothing came back, `error` says why. */
export interface Answer {
  /** Of HTTP. */
  readonly status: number;
  readonly retryAfter?: string;
  /** At most 4 MiB; empty when the receiver said more, or did not end in time. */
  readonly body: Uint8Array;
  readonly error?: Error;
}

/** Sends one request. Never rejects. */
export type Post = (
  body: Uint8Array,
  contentType: string,
  timeoutMillis: number,
) => Promise<Answer>;

/** One connection to one destination. */
export interface HttpClient {
  readonly post: Post;
  /** Ends what is under way and closes the connection. */
  close(): void;
}

/** An answer is not read further. */
const MOST_ANSWER_BYTES = 4 << 20;
const NO_BODY = new Uint8Array();

// Our own requests must not become spans, nor hold on to whatever the app's context refers to. The key is that of
// `suppressTracing` in @opentelemetry/core, which is not loaded for it.
const quiet = ROOT_CONTEXT.setValue(
  createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING"),
  true,
);

const compressed = promisify(gzip);

/**
 * A client for one destination with one connection, which is kept. It follows no redirect, and its sockets never keep
 * the process alive: whoever waits for an answer at the end of the process says so with a timer.
 */
export function createHttpClient(destination: OtlpDestination): HttpClient {
  const { url, headers, tls, compression } = destination;
  const isSecure = url.startsWith("https:");
  // `require` sees what instrumentations and mocks have put there, as the app's own requests do.
  const client: typeof https = createRequire(import.meta.url)(
    isSecure ? "node:https" : "node:http",
  );
  let agent: Agent | undefined;

  function connection(): Agent {
    if (agent === undefined) {
      const pem = Object.entries(tls).map(([name, path]) => [name, readFileSync(path)]);
      agent = new client.Agent({ keepAlive: true, maxSockets: 1, ...Object.fromEntries(pem) });
    }
    return agent;
  }

  async function post(
    body: Uint8Array,
    contentType: string,
    timeoutMillis: number,
  ): Promise<Answer> {
    try {
      const isCompressed = compression === "gzip";
      const sent = isCompressed ? await compressed(body) : body;
      const options = {
        method: "POST",
        agent: connection(),
        headers: {
          "user-agent": "ThoughtFlow-OTLP-Exporter-JavaScript",
          ...headers,
          "content-type": contentType,
          "content-length": sent.length,
          ...(isCompressed && { "content-encoding": "gzip" }),
        },
      };
      return await context.with(quiet, () => answerTo(options, sent, timeoutMillis));
    } catch (error) {
      return unanswered(error);
    }
  }

  function answerTo(
    options: RequestOptions,
    body: Uint8Array,
    timeoutMillis: number,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const request = client.request(url, options);
      let response: IncomingMessage | undefined;
      // For the whole of it: a receiver that trickles is never idle.
      const timer = setTimeout(() => {
        finish(NO_BODY, new Error(`no answer in ${timeoutMillis} ms`));
        request.destroy();
      }, timeoutMillis);
      timer.unref();

      function finish(answered: Uint8Array, error?: Error): void {
        clearTimeout(timer);
        // Once the status is there, the receiver has decided; what it says besides may be missing.
        const { statusCode: status = 0, headers = {} } = response ?? {};
        const retryAfter = headers["retry-after"];
        resolve({
          status,
          body: answered,
          ...(retryAfter !== undefined && { retryAfter }),
          ...(status === 0 && error !== undefined && { error }),
        });
      }

      request.on("socket", (socket) => socket.unref());
      request.on("error", (error) => finish(NO_BODY, error));
      request.on("response", (incoming) => {
        response = incoming;
        const pieces: Buffer[] = [];
        let size = 0;
        incoming.on("data", (piece: Buffer) => {
          size += piece.length;
          if (size > MOST_ANSWER_BYTES) {
            finish(NO_BODY);
            request.destroy();
          } else pieces.push(piece);
        });
        incoming.on("end", () => finish(Buffer.concat(pieces)));
        incoming.on("error", (error) => finish(NO_BODY, error));
      });
      request.end(body);
    });
  }

  return { post, close: () => agent?.destroy() };
}

function unanswered(reason: unknown): Answer {
  const error = reason instanceof Error ? reason : new Error(String(reason));
  return { status: 0, body: NO_BODY, error };
}
