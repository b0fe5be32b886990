import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { afterAll, beforeAll, test } from "vitest";
import { postgresFolder } from "../../packages/store/testing/postgres-server.ts";
import { postgresSuite } from "../../packages/store/testing/postgres-suite.ts";
import { type DockerDaemon, dockerOf, findDockerDaemon } from "./docker-daemon.ts";
import { buildPostgresImage } from "./postgres-image.ts";

const PORT = 5432;
/** Of PostgreSQL 15 or newer, such as postgres:18; else one is made here of the system's. */
const given = process.env["POSTGRES_IMAGE"];
const daemon = await findDockerDaemon();

/** What is missing for a PostgreSQL in a container. */
function whatIsMissing(): string | undefined {
  if (daemon === undefined) return "a Docker daemon, or root and dockerd on PATH";
  if (given !== undefined || postgresFolder() !== undefined) return undefined;
  return "POSTGRES_IMAGE, the name of an image of PostgreSQL, or a PostgreSQL of the system";
}

const missing = whatIsMissing();
if (daemon !== undefined && missing === undefined) suiteIn(daemon);
else {
  console.warn(`SKIPPED: the store's suite in a container needs ${missing}.`);
  test.skip(`a store in a container does what it does elsewhere (needs ${missing})`, () => {});
}

function suiteIn(docker: DockerDaemon): void {
  let container: StartedTestContainer;

  beforeAll(async () => {
    if (docker.host !== undefined) process.env["DOCKER_HOST"] = docker.host;
    // Its helper container would have to be pulled from a registry; what is below does its work.
    process.env["TESTCONTAINERS_RYUK_DISABLED"] = "true";
    const image = given ?? (await buildPostgresImage(dockerOf(docker)));
    container = await new GenericContainer(image)
      .withEnvironment({ POSTGRES_USER: "flow", POSTGRES_PASSWORD: "flow" })
      .withExposedPorts(PORT)
      // The first time those that set up say so to their own scripts.
      .withWaitStrategy(
        Wait.forLogMessage(/database system is ready to accept connections/, given ? 2 : 1),
      )
      .start();
  }, 600_000);
  afterAll(async () => {
    await container?.stop();
    await docker[Symbol.asyncDispose]();
  }, 120_000);

  postgresSuite(
    `a PostgreSQL store in a container of ${given ?? "the system's package"}`,
    (database) =>
      `postgres://flow:flow@${container.getHost()}:${container.getMappedPort(PORT)}/${database}`,
  );
}
