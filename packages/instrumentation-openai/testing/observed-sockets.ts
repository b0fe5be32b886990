import { once } from "node:events";
import { connect } from "node:net";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import OpenAI from "openai";
import { OpenAIRealtimeTranslationWS } from "openai/realtime/translations/ws";
import { OpenAIRealtimeWebSocket } from "openai/realtime/websocket";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { ForksWS } from "openai/resources/live/forks/ws";
import { SidebandWS } from "openai/resources/live/sideband/ws";
import { LiveWS } from "openai/resources/live/ws";
import { ResponsesWS } from "openai/resources/responses/ws";
import { afterEach, vi } from "vitest";
import type { WebSocket as ServedSocket } from "ws";
import { WebSocketServer } from "ws";
import { instrumentOpenAI } from "../src/instrument-openai.ts";

/** What the spans of a test are told to; empty again after each. */
export const exporter = new InMemorySpanExporter();
export const provider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
provider.register();
for (const one of [
  OpenAIRealtimeWS,
  OpenAIRealtimeWebSocket,
  OpenAIRealtimeTranslationWS,
  ResponsesWS,
  LiveWS,
  ForksWS,
  SidebandWS,
]) {
  instrumentOpenAI(one, { tracerProvider: provider, captureContentOnSpans: true });
}

afterEach(() => {
  exporter.reset();
  vi.unstubAllGlobals();
});

/** The SDK only speaks TLS with a realtime server; these speak without. */
export class PlainWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(String(url).replace(/^wss/, "ws"), protocols);
  }
}

/** A server of sockets, and a client of it. */
export interface SocketServer extends AsyncDisposable {
  readonly client: OpenAI;
  /** For sockets of the package `ws`. */
  readonly options: object;
}

/** A server that answers each event by what `answers` has for its type. */
export async function serve(
  answers: Readonly<Record<string, readonly object[]>>,
): Promise<SocketServer> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const say = (socket: ServedSocket, events: readonly object[] = []) => {
    for (const event of events) socket.send(JSON.stringify(event));
  };
  server.on("connection", (socket) => {
    say(socket, answers["open"]);
    socket.on("message", (data) => say(socket, answers[JSON.parse(String(data)).type]));
  });
  const { port } = server.address() as { port: number };
  return {
    client: new OpenAI({ apiKey: "k", baseURL: `http://127.0.0.1:${port}/v1` }),
    options: { createConnection: () => connect(port, "127.0.0.1") },
    [Symbol.asyncDispose]: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The messages that a span tells under this name. */
export const messages = (span: ReadableSpan | undefined, name: string): unknown =>
  JSON.parse(String(span?.attributes[`gen_ai.${name}`]));
