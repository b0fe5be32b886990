import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GenericContainer, Wait } from "testcontainers";
import { expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { findDockerDaemon } from "./docker-daemon.ts";
import { goBinary, JAEGER } from "./go-binary.ts";
import { createJaegerClient } from "./jaeger-client.ts";
import { runApp } from "./run-app.ts";

const OTLP = 4318;
const QUERY = 16686;
const HEALTH = 13133;

test("an app's trace arrives in a Jaeger in a container", {
  timeout: 1_200_000,
}, async (context) => {
  await using daemon = await findDockerDaemon();
  if (daemon === undefined) {
    console.warn("SKIPPED: the container test needs a Docker daemon, or root and dockerd on PATH.");
    return context.skip("no Docker daemon");
  }
  if (daemon.host !== undefined) process.env["DOCKER_HOST"] = daemon.host;
  // Its helper container would have to be pulled from a registry; the disposal below does its work.
  process.env["TESTCONTAINERS_RYUK_DISABLED"] = "true";

  const image = await mkdtemp(join(tmpdir(), "thoughtflow-image-"));
  try {
    for (const name of ["Dockerfile", "config.yaml"]) {
      await copyFile(join(ROOT, "deploy", "jaeger", name), join(image, name));
    }
    await copyFile(goBinary(JAEGER), join(image, "jaeger"));
    const built = await GenericContainer.fromDockerfile(image).build("thoughtflow-jaeger-test");
    await using container = await built
      .withExposedPorts(OTLP, QUERY, HEALTH)
      .withWaitStrategy(Wait.forHttp("/status", HEALTH))
      .start();
    const at = (port: number): string =>
      `http://${container.getHost()}:${container.getMappedPort(port)}`;

    const app = await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
      OTEL_EXPORTER_OTLP_ENDPOINT: at(OTLP),
    });
    const traceId = app.sessions[0]?.conversations[0]?.trace_id ?? "";
    const trace = await createJaegerClient(at(QUERY)).trace(traceId, 4);
    expect(trace.map(({ name }) => name)).toEqual([
      "invoke_agent",
      ...Array.from({ length: 3 }, () => "chat gpt-4o-mini"),
    ]);
  } finally {
    await rm(image, { recursive: true, force: true });
  }
});
