import { type FSWatcher, watch } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { decodeProtobufRequest, excerptBytes, type ScannedRequest } from "@thoughtflow/otlp";
import { SSE_THOUGHTFLOW_ARTIFACTS } from "@thoughtflow/semconv";
import { artifactPaths } from "./artifacts.ts";
import { documentHead } from "./document-head.ts";
import { plainAnswer, say, sayHeaders } from "./http-answer.ts";
import { stepEvents } from "./step-events.ts";

/** Server-sent events: which files changed, and which steps came. */
export interface LiveEvents {
  /** Sends events to a viewer until it goes. */
  join(request: IncomingMessage, response: ServerResponse): void;
  /** Tells of spans that were taken. */
  taken(request: ScannedRequest): void;
  readonly viewers: number;
  close(): void;
}

/** A file is put in its place after those beside it; it may be written again at once. */
const SETTLE_MS = 50;
const SIGN_OF_LIFE_MS = 15_000;
/** A viewer that doesn't read is let go. */
const MOST_WAITING_BYTES = 1024 * 1024;

export function createLiveEvents(dir: string, maxViewers: number): LiveEvents {
  const viewers = new Map<ServerResponse, string>();
  const settling = new Map<string, NodeJS.Timeout>();
  let watcher: FSWatcher | undefined;
  let beat: NodeJS.Timeout | undefined;

  function send(makeText: (base: string) => string): void {
    for (const [response, base] of viewers) {
      if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
      else response.write(makeText(base));
    }
  }

  function changed(name: string): void {
    clearTimeout(settling.get(name));
    const timer = setTimeout(() => {
      settling.delete(name);
      void tell(name);
    }, SETTLE_MS);
    settling.set(name, timer.unref());
  }

  async function tell(name: string): Promise<void> {
    const head = await documentHead(join(dir, name));
    if (head === undefined) return;
    const { session_id, revision } = head;
    const paths = Object.entries(artifactPaths(session_id));
    send((base) => {
      const urls = Object.fromEntries(paths.map(([kind, path]) => [kind, base + path]));
      return eventText(SSE_THOUGHTFLOW_ARTIFACTS, { session_id, revision, ...urls });
    });
  }

  /** Whoever writes into the directory: this process, or an app beside it. */
  function begin(): void {
    if (watcher !== undefined) return;
    watcher = watch(dir, { persistent: false }, (_event, name) => {
      if (name !== null && /^[^.].*\.json$/.test(name)) changed(name);
    });
    watcher.on("error", end);
    beat ??= setInterval(() => send(() => ":\n\n"), SIGN_OF_LIFE_MS).unref();
  }

  function end(): void {
    watcher?.close();
    watcher = undefined;
    clearInterval(beat);
    beat = undefined;
  }

  return {
    join(request, response) {
      const headers = { "Content-Type": "text/event-stream", "Cache-Control": "no-store" };
      // Nothing would ever come to it.
      if (request.method === "HEAD") {
        say(response, { status: 200, headers });
        return;
      }
      // Most who go say no more than that, also before their turn.
      if (request.socket.readableEnded) {
        response.destroy();
        return;
      }
      if (viewers.size >= maxViewers) {
        say(response, plainAnswer(503, `${maxViewers} viewers are here.`, { "Retry-After": "30" }));
        return;
      }
      begin();
      viewers.set(response, `http://${request.headers.host}`);
      request.socket.once("end", () => response.destroy());
      response.on("close", () => {
        viewers.delete(response);
        if (viewers.size === 0) end();
      });
      sayHeaders(response, { status: 200, headers });
      response.write(":\n\n");
    },
    taken(request) {
      if (viewers.size === 0) return;
      const bytes = excerptBytes(request.requestOf(request.spans));
      for (const { event, data } of stepEvents(decodeProtobufRequest(bytes).records))
        send(() => eventText(event, data));
    },
    get viewers() {
      return viewers.size;
    },
    close() {
      end();
      for (const timer of settling.values()) clearTimeout(timer);
      for (const response of viewers.keys()) response.end();
    },
  };
}

function eventText(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
