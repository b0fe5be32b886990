import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { afterAll, beforeAll, test } from "vitest";
import { postgresSuite } from "../../packages/store/testing/postgres-suite.ts";
import { type DockerDaemon, findDockerDaemon } from "./docker-daemon.ts";

const PORT = 5432;
const image = process.env["POSTGRES_IMAGE"];
const daemon = image === undefined ? undefined : await findDockerDaemon();

/** What is missing for a PostgreSQL in a container. */
function whatIsMissing(): string | undefined {
  if (image === undefined)
    return "POSTGRES_IMAGE, the name of an image of PostgreSQL 15 or newer, such as postgres:18";
  return daemon === undefined ? "a Docker daemon, or root and dockerd on PATH" : undefined;
}

const missing = whatIsMissing();
if (missing === undefined) suiteIn(image ?? "", daemon);
else {
  console.warn(`SKIPPED: the store's suite in a container needs ${missing}.`);
  test.skip(`a store in a container does what it does elsewhere (needs ${missing})`, () => {});
}

function suiteIn(image: string, daemon: DockerDaemon | undefined): void {
  let container: StartedTestContainer;

  beforeAll(async () => {
    if (daemon?.host !== undefined) process.env["DOCKER_HOST"] = daemon.host;
    // Its helper container would have to be pulled from a registry; what is below does its work.
    process.env["TESTCONTAINERS_RYUK_DISABLED"] = "true";
    container = await new GenericContainer(image)
      .withEnvironment({ POSTGRES_USER: "flow", POSTGRES_PASSWORD: "flow" })
      .withExposedPorts(PORT)
      // The first time it says so to its own set-up scripts.
      .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
      .start();
  }, 600_000);
  afterAll(async () => {
    await container?.stop();
    await daemon?.[Symbol.asyncDispose]();
  }, 120_000);

  postgresSuite(
    `a PostgreSQL store in ${image}`,
    (database) =>
      `postgres://flow:flow@${container.getHost()}:${container.getMappedPort(PORT)}/${database}`,
  );
}
