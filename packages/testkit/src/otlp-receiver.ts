import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

/** A span as it came over OTLP, as far as tests of delivery look at it. */
export interface DeliveredSpan {
  readonly name: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
}

export interface OtlpReceiverOptions {
  /** The status of the n-th answer (0 is the first); 200 by default. Spans count as delivered only with 200. */
  readonly status?: (request: number) => number;
  /** Milliseconds before an answer. */
  readonly delayMs?: number;
}

export interface OtlpReceiver {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** All spans that were answered with 200, in order of arrival, repetitions included. */
  readonly spans: readonly DeliveredSpan[];
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A loopback OTLP/HTTP endpoint for traces, JSON and protobuf. */
export async function createOtlpReceiver(options: OtlpReceiverOptions = {}): Promise<OtlpReceiver> {
  const { status = () => 200, delayMs = 0 } = options;
  const spans: DeliveredSpan[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const code = status(requests.length);
    requests.push({ path: request.url ?? "", headers: request.headers });
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const isJson = request.headers["content-type"] === "application/json";
      if (code === 200) spans.push(...(isJson ? fromJson : fromProtobuf)(Buffer.concat(pieces)));
      setTimeout(() => {
        response.writeHead(code, { "content-type": request.headers["content-type"] ?? "" });
        response.end(isJson ? "{}" : "");
      }, delayMs);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
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
