import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";

/** A span as it came over OTLP, as far as tests of delivery look at it. */
export interface DeliveredSpan {
  readonly name: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
}

/**
 * What a request gets: an answer (200 and an empty body where nothing is said), or trouble. `reset` breaks the
 * connection, `silence` never answers, `trickle` sends a byte of a header every 20 ms for ever.
 */
export type OtlpAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Uint8Array;
    }
  | "reset"
  | "silence"
  | "trickle";

export interface OtlpReceiverOptions {
  /** The n-th answer (0 is the first) to a request with so many spans. Spans count as delivered only with status 200. */
  readonly answer?: (request: number, spans: readonly DeliveredSpan[]) => OtlpAnswer;
  /** Milliseconds before an answer. */
  readonly delayMs?: number;
  /** A free one by default. */
  readonly port?: number;
}

export interface OtlpReceiver {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** All spans that were answered with 200, in order of arrival, repetitions included. */
  readonly spans: readonly DeliveredSpan[];
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly spans: number;
  }[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A loopback OTLP/HTTP endpoint for traces, JSON and protobuf, gzipped or not. */
export async function createOtlpReceiver(options: OtlpReceiverOptions = {}): Promise<OtlpReceiver> {
  const { answer, delayMs = 0 } = options;
  const spans: DeliveredSpan[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders; spans: number }[] = [];
  const server = createServer((request, response) => {
    const { url: path = "", headers } = request;
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const isJson = headers["content-type"] === "application/json";
      const raw = Buffer.concat(pieces);
      const body = headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
      const received = (isJson ? fromJson : fromProtobuf)(body);
      const given: OtlpAnswer = answer?.(requests.length, received) ?? {};
      requests.push({ path, headers, spans: received.length });
      if (typeof given === "object" && (given.status ?? 200) === 200) spans.push(...received);
      setTimeout(() => reply(response, given, isJson), delayMs);
    });
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    spans,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function reply(response: ServerResponse, answer: OtlpAnswer, isJson: boolean): void {
  if (answer === "silence") return;
  if (answer === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (answer === "trickle") {
    response.socket?.write("HTTP/1.1 200 OK\r\nx-long: ");
    const timer = setInterval(() => response.socket?.write("x"), 20);
    response.on("close", () => clearInterval(timer));
    return;
  }
  const contentType = isJson ? "application/json" : "application/x-protobuf";
  response.writeHead(answer.status ?? 200, { "content-type": contentType, ...answer.headers });
  response.end(answer.body ?? (isJson ? "{}" : ""));
}

interface JsonRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly DeliveredSpan[] }[];
  }[];
}

function fromJson(body: Buffer): DeliveredSpan[] {
  const { resourceSpans }: JsonRequest = JSON.parse(body.toString());
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map(({ name, spanId }) => ({ name, spanId }))),
  );
}

/** Field numbers of opentelemetry/proto/trace/v1/trace.proto: spans are messages 2 in 2 in 1; span_id 2, name 5. */
function fromProtobuf(body: Buffer): DeliveredSpan[] {
  const spans = fields(body, 1).flatMap((resource) =>
    fields(resource, 2).flatMap((scope) => fields(scope, 2)),
  );
  return spans.map((span) => ({
    name: String(fields(span, 5)[0]),
    spanId: fields(span, 2)[0]?.toString("hex") ?? "",
  }));
}

/** The length-delimited fields of a message that have a number. */
function fields(message: Buffer, number: number): Buffer[] {
  const found: Buffer[] = [];
  let offset = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message.readUInt8(offset++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (offset < message.length) {
    const tag = varint();
    const wireType = tag & 7;
    if (wireType === 0) varint();
    else if (wireType === 1) offset += 8;
    else if (wireType === 5) offset += 4;
    else {
      const end = varint() + offset;
      if (tag >>> 3 === number) found.push(message.subarray(offset, end));
      offset = end;
    }
  }
  return found;
}
