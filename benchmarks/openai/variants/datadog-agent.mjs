/** As much of a Datadog agent as the tracer asks for: it says what it takes, and takes everything. */
import { createServer } from "node:http";
import { parentPort } from "node:worker_threads";

const info = JSON.stringify({
  version: "7.70.0",
  endpoints: ["/v0.4/traces", "/evp_proxy/v2/", "/evp_proxy/v4/"],
  client_drop_p0s: false,
});

let kept = "";

const server = createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    // Of all the rest, only that it came.
    if (kept.length < 2 ** 23) kept += Buffer.concat(pieces).toString("latin1");
    response.setHeader("content-type", "application/json");
    response.end(request.url === "/info" ? info : "{}");
  });
});

server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));

parentPort.on("message", () => {
  parentPort.postMessage(kept);
  kept = "";
});
