import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A loopback server that stands in for the OpenAI API. */
export interface ReplayServer {
  /** What a client takes for `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

interface Exchange {
  readonly path: string;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly contentType: string;
    readonly body: string;
  };
  readonly stream: boolean;
}

/** In the order in which `demo/app.mjs` asks. */
const RECORDINGS = [
  "responses-streamed-tools",
  "chat-unknown-model",
  "chat-two-turns",
  "chat-parallel-tools",
];

/** Recorded milliseconds are played ten times as fast, streamed events with a short pause between them. */
const FASTER = 10;
const EVENT_PAUSE_MS = 4;

/** Answers each request with the next recorded exchange; one that was not recorded gets a 500 saying so. */
export async function replayRecordings(): Promise<ReplayServer> {
  const left = RECORDINGS.flatMap(exchangesOf);
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const exchange = left[0]?.path === request.url ? left.shift() : undefined;
      const answered = exchange ? replay(exchange, response) : refuse(request.url, response);
      answered.catch((error: unknown) => response.destroy(error as Error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function exchangesOf(name: string): readonly Exchange[] {
  const file = new URL(`../demo/recordings/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { exchanges: readonly Exchange[] }).exchanges;
}

async function replay({ response: recorded, stream }: Exchange, response: ServerResponse) {
  const { status, headers, contentType, body } = recorded;
  await sleep(Number(headers["openai-processing-ms"] ?? 100) / FASTER);
  response.writeHead(status, {
    "content-type": contentType,
    "x-request-id": headers["x-request-id"] ?? "",
  });
  if (!stream) {
    response.end(body);
    return;
  }
  for (const event of body.split(/(?<=\n\n)/)) {
    response.write(event);
    await sleep(EVENT_PAUSE_MS);
  }
  response.end();
}

async function refuse(path: string | undefined, response: ServerResponse): Promise<void> {
  response.writeHead(500, { "content-type": "application/json", "x-should-retry": "false" });
  response.end(JSON.stringify({ error: { message: `${path} is not what was recorded next` } }));
}
