import { readFileSync } from "node:fs";
import type { Exchange } from "./exchange.ts";

/** One exchange as a recording holds it. */
export interface RecordedExchange {
  readonly method: string;
  readonly path: string;
  readonly request: { readonly body: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly contentType?: string;
    readonly body: unknown;
  };
  readonly stream: boolean;
}

/**
 * The exchanges of one recording in wire order.
 *
 * @param file `<origin>/<name>` below `packages/testkit/recordings`, without the extension.
 */
export function loadExchanges(file: string): readonly Exchange[] {
  const url = new URL(`../recordings/${file}.json`, import.meta.url);
  return exchangesFrom(JSON.parse(readFileSync(url, "utf8")));
}

/** The exchanges of a recording that was read already, in wire order. */
export function exchangesFrom(recording: {
  readonly exchanges: readonly RecordedExchange[];
}): readonly Exchange[] {
  return recording.exchanges.map(({ method, path, request, response, stream }) => ({
    method,
    path,
    request: { body: request.body },
    response: {
      status: response.status,
      headers: {
        ...response.headers,
        // Some recordings lost theirs: an empty one would make the SDK take JSON for text.
        "content-type":
          response.contentType || response.headers["content-type"] || "application/json",
      },
      body: typeof response.body === "string" ? response.body : JSON.stringify(response.body),
    },
    stream,
  }));
}
