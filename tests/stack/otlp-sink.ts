import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { decodeProtobufRequest } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";

/** A request that a sink was sent. */
export interface SunkRequest {
  readonly path: string | undefined;
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly spans: readonly SpanRecord[];
}

/** Stands where a backend would that can't be run here, and takes OTLP in protobuf, compressed with gzip. */
export interface OtlpSink extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SunkRequest[];
}

export async function startOtlpSink(): Promise<OtlpSink> {
  const requests: SunkRequest[] = [];
  const server = createServer(async (request, response) => {
    const { url, headers } = request;
    const { records } = decodeProtobufRequest(gunzipSync(await buffer(request)));
    const { "content-type": contentType, authorization } = headers;
    requests.push({ path: url, contentType, authorization, spans: records });
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
