import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";
import { QUERY_APIS, type QueryPlace } from "../vulture/backend.ts";
import { examineBackend } from "./backend-keeps.ts";

/** A receiver and query API in one, which shows what `show` makes of the request that it was sent. */
let server: Server;
let url: string;
let show: (request: string) => string;

beforeEach(async () => {
  let kept = "";
  show = (request) => request;
  server = createServer(async (request, response) => {
    const body = (await request.setEncoding("utf8").toArray()).join("");
    if (request.method === "GET") return void response.end(`{"result":${show(kept)}}`);
    if (body !== "{}") kept = body;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function ioWithOtlp() {
  const env = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_ENDPOINT: url };
  return capturedIo(directoryWith(), { env });
}

function placeOf(backend: keyof typeof QUERY_APIS, query: string): QueryPlace {
  return { backend, api: QUERY_APIS[backend], url: query, headers: {} };
}

test("the doctor says of a backend that it asks about whether that keeps links", async () => {
  const io = ioWithOtlp();
  expect(await thoughtflow(["doctor", "--backend", "jaeger", "--query", url], io)).toBe(0);
  expect(io.stdout()).toContain(
    "backend: jaeger gives a trace back as it was written, with its links\n",
  );
});

test("a backend that drops links is found out", async () => {
  show = (request) => request.replaceAll(/"links":\[\{.*?\}\],"dropped/g, '"links":[],"dropped');
  const found = await examineBackend(placeOf("jaeger", url), ioWithOtlp(), 0);
  expect(found).toEqual({
    subject: "backend",
    status: "failure",
    message: expect.stringMatching(/^jaeger: incorrectresult: links of .* is \[\], not /),
  });
});

test("a backend that can't be asked is told as such", async () => {
  const elsewhere = "http://127.0.0.1:1";
  const found = await examineBackend(placeOf("tempo", elsewhere), ioWithOtlp(), 0);
  expect(found).toMatchObject({
    status: "failure",
    message: expect.stringMatching(/^tempo: requestfailed: /),
  });
});
