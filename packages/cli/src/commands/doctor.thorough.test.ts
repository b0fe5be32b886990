import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { directoryWith } from "../../testing/flow-directory.ts";
import { runCli } from "../../testing/spawned-cli.ts";

const silent: RequestListener = (request) => void request.resume();

/** Takes what it is sent, and never ends its answer. */
const trickling: RequestListener = (request, response) => {
  request.resume();
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
};

test.each([
  ["never answers", silent, 5, "doesn't answer: no answer in 2000 ms"],
  ["never ends its answer", trickling, 0, "answers; spans go there as http/protobuf"],
])(
  "a doctor who asks a collector that %s ends, and says so",
  async (_how, listener, code, words) => {
    const server = createServer(listener).listen(0, "127.0.0.1");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, "listening");
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${host}` };
    const { exitCode, stdout } = await runCli(["doctor"], directoryWith(), env);
    expect(stdout).toContain(`OTLP: ${host} ${words}`);
    expect(exitCode).toBe(code);
  },
);
