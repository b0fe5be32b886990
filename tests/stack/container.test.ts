import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { GenericContainer, Network, Wait } from "testcontainers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { type DockerDaemon, findDockerDaemon } from "./docker-daemon.ts";
import { COLLECTOR, type GoProgram, goBinary, JAEGER, TEMPO } from "./go-binary.ts";
import { createJaegerClient } from "./jaeger-client.ts";
import { runApp } from "./run-app.ts";
import { expectTraceqlToFindSteps } from "./traceql.ts";
import { askJaeger, askTempo, whatSurvives } from "./what-survives.ts";

const OTLP = 4318;
const page = await readFile(join(ROOT, "docs", "backends.md"), "utf8");

let daemon: DockerDaemon | undefined;
beforeAll(async () => {
  daemon = await findDockerDaemon();
  if (daemon === undefined)
    console.warn("SKIPPED: the container tests need a Docker daemon, or root and dockerd on PATH.");
  else if (daemon.host !== undefined) process.env["DOCKER_HOST"] = daemon.host;
  // Its helper container would have to be pulled from a registry; the disposals below do its work.
  process.env["TESTCONTAINERS_RYUK_DISABLED"] = "true";
}, 120_000);
afterAll(() => daemon?.[Symbol.asyncDispose](), 120_000);

/**
 * A container of the image that the variable names, else of one that is made here of nothing but the program.
 *
 * @param config is copied to `/etc/` there
 */
async function containerOf(variable: string, program: GoProgram, config: string) {
  const given = process.env[variable];
  const container = given === undefined ? await built(program) : new GenericContainer(given);
  const target = `/etc/${basename(config)}`;
  return container.withUser("0").withCopyFilesToContainer([{ source: config, target }]);
}

async function built(program: GoProgram): Promise<GenericContainer> {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-image-"));
  try {
    await copyFile(goBinary(program), join(dir, "program"));
    const lines = ["FROM scratch", "COPY program /", 'ENTRYPOINT ["/program"]'];
    await writeFile(join(dir, "Dockerfile"), lines.join("\n"));
    return await GenericContainer.fromDockerfile(dir).build(`thoughtflow-${program.name}-test`);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function jaegerContainer() {
  const config = join(ROOT, "deploy", "jaeger", "config.yaml");
  return (await containerOf("JAEGER_IMAGE", JAEGER, config))
    .withCommand(["--config=/etc/config.yaml"])
    .withEnvironment({
      JAEGER_OTLP_ADDRESS: `0.0.0.0:${OTLP}`,
      JAEGER_HTTP_ADDRESS: "0.0.0.0:16686",
      JAEGER_HEALTH_ADDRESS: "0.0.0.0:13133",
    })
    .withExposedPorts(OTLP, 16686, 13133)
    .withWaitStrategy(Wait.forHttp("/status", 13133));
}

async function tempoContainer() {
  const config = join(ROOT, "deploy", "tempo", "tempo.yaml");
  return (await containerOf("TEMPO_IMAGE", TEMPO, config))
    .withCommand(["-config.file=/etc/tempo.yaml", "-config.expand-env=true"])
    .withExposedPorts(OTLP, 3200)
    .withWaitStrategy(Wait.forHttp("/ready", 3200).forStatusCode(200))
    .withStartupTimeout(120_000);
}

test("an app's trace goes through a Collector to a Jaeger and a Tempo in containers, which keep what they keep as processes", {
  timeout: 1_200_000,
}, async (context) => {
  if (daemon === undefined) return context.skip("no Docker daemon");
  await using network = await new Network().start();
  await using jaeger = await (await jaegerContainer())
    .withNetwork(network)
    .withNetworkAliases("jaeger")
    .start();
  await using tempo = await (await tempoContainer())
    .withNetwork(network)
    .withNetworkAliases("tempo")
    .start();
  const config = join(ROOT, "collector-config", "dev.yaml");
  await using collector = await (await containerOf("COLLECTOR_IMAGE", COLLECTOR, config))
    .withNetwork(network)
    .withCommand(["--config=/etc/dev.yaml"])
    .withEnvironment({
      COLLECTOR_OTLP_HTTP_ADDRESS: `0.0.0.0:${OTLP}`,
      COLLECTOR_HEALTH_ADDRESS: "0.0.0.0:13133",
      JAEGER_OTLP_ENDPOINT: `http://jaeger:${OTLP}`,
      TEMPO_OTLP_ENDPOINT: `http://tempo:${OTLP}`,
    })
    .withExposedPorts(OTLP, 13133)
    .withWaitStrategy(Wait.forHttp("/", 13133))
    .start();
  const at = (container: typeof jaeger, port: number): string =>
    `http://${container.getHost()}:${container.getMappedPort(port)}`;

  const app = await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
    OTEL_EXPORTER_OTLP_ENDPOINT: at(collector, OTLP),
  });
  const traceId = app.sessions[0]?.conversations[0]?.trace_id ?? "";
  const trace = await createJaegerClient(at(jaeger, 16686)).trace(traceId, 4);
  expect(trace.map(({ name }) => name)).toEqual([
    "invoke_agent",
    ...Array.from({ length: 3 }, () => "chat gpt-4o-mini"),
  ]);
  const asked = askTempo(at(tempo, OTLP), at(tempo, 3200));
  expect(page).toContain(await whatSurvives("Tempo, `max_attribute_bytes` set", asked));
  expect(page).toContain(
    await whatSurvives("Jaeger", askJaeger(at(jaeger, OTLP), at(jaeger, 16686))),
  );
});

test("TraceQL finds in a container what it finds in a process", {
  timeout: 600_000,
}, async (context) => {
  if (daemon === undefined) return context.skip("no Docker daemon");
  await using tempo = await (await tempoContainer()).start();
  const at = (port: number) => `http://${tempo.getHost()}:${tempo.getMappedPort(port)}`;
  await expectTraceqlToFindSteps({ otlpEndpoint: at(OTLP), queryEndpoint: at(3200) });
});
