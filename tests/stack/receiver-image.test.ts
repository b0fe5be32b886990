import { copyFile, cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { npmInstall, packedTarballs } from "../packed/empty-project.ts";
import { type Docker, dockerOf, findDockerDaemon } from "./docker-daemon.ts";
import { copyLibraries } from "./image-files.ts";
import { madeSpan, requestBody } from "./made-spans.ts";
import { until } from "./polling.ts";

const TOKEN = "a-token-of-the-tests";
const IMAGE = "thoughtflow-serve-test";
const BASE = "thoughtflow-node-test";

/** Node as npm delivers it with the libraries that it names, and nothing else. */
async function buildNodeImage(docker: Docker, dir: string): Promise<void> {
  const require = createRequire(join(ROOT, "package.json"));
  const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`);
  const node = await realpath(join(manifest, "..", "bin", "node"));
  await copyFile(node, join(dir, "node"));
  const lines = ["FROM scratch", "COPY node /usr/local/bin/node", "ENV PATH=/usr/local/bin"];
  lines.push(...(await copyLibraries([node], dir)));
  await writeFile(join(dir, "Dockerfile"), lines.join("\n"));
  await docker("build", "--quiet", "--tag", BASE, dir);
}

test("the image of thoughtflow serve: small, not root, nothing to write to but its volume, healthy", {
  timeout: 600_000,
}, async (context) => {
  await using daemon = await findDockerDaemon();
  if (daemon === undefined) {
    console.warn("SKIPPED: the image's test needs a Docker daemon, or root and dockerd on PATH.");
    return context.skip("no Docker daemon");
  }
  const docker = dockerOf(daemon);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-image-"));
  let container = "";
  try {
    await mkdir(join(dir, "node"));
    await buildNodeImage(docker, join(dir, "node"));
    const build = join(dir, "thoughtflow");
    await cp(join(ROOT, "deploy", "thoughtflow"), build, { recursive: true });
    await mkdir(join(build, "app"), { recursive: true });
    await writeFile(join(build, "app", "package.json"), "{}");
    await npmInstall(join(build, "app"), await packedTarballs());
    await docker("build", "--quiet", "--build-arg", `BASE=${BASE}`, "--tag", IMAGE, build);

    const bytes = async (image: string) =>
      Number(await docker("image", "inspect", "--format", "{{.Size}}", image));
    expect((await bytes(IMAGE)) - (await bytes(BASE))).toBeLessThan(60_000_000);

    const limits = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
    const token = ["--env", `THOUGHTFLOW_SERVER_TOKEN=${TOKEN}`];
    container = await docker(
      "run",
      "--detach",
      "--publish",
      "127.0.0.1::4318",
      ...limits,
      ...token,
      IMAGE,
    );
    const inspect = (format: string) => docker("inspect", "--format", format, container);
    await until("a container that says it is healthy", async () =>
      (await inspect("{{.State.Health.Status}}")) === "healthy" ? true : undefined,
    );
    expect(await docker("top", container, "-o", "pid,uid,gid,cmd")).toMatch(/10001 +10001 +node/);

    const url = `http://${await docker("port", container, "4318/tcp")}`;
    const send = async (authorization: string) => {
      const headers = { "Content-Type": "application/x-protobuf", Authorization: authorization };
      const body = requestBody([
        madeSpan({ trace: 1, span: 1, session: "contained", operation: "chat" }),
      ]);
      return (await fetch(`${url}/v1/traces`, { method: "POST", headers, body })).status;
    };
    expect([await send("Bearer none"), await send(`Bearer ${TOKEN}`)]).toEqual([401, 200]);
    await docker("stop", container);
    expect(await inspect("{{.State.ExitCode}}")).toBe("0");
    const written = join(dir, "contained.json");
    await docker("cp", `${container}:/flows/contained.json`, written);
    expect(await docker("diff", container)).toBe("");
  } finally {
    if (container !== "") await docker("rm", "--force", "--volumes", container);
    await rm(dir, { recursive: true, force: true });
  }
});
