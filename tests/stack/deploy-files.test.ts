import { execFile } from "node:child_process";
import { access, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { ROOT } from "../architecture/packages.ts";
import { COLLECTOR, goBinary } from "./go-binary.ts";
import { KUBERNETES_VALIDATE, pythonProgram } from "./python-program.ts";

const DEPLOY = join(ROOT, "deploy");
const KUBERNETES = join(DEPLOY, "kubernetes");
const run = promisify(execFile);

const manifests = (await readdir(KUBERNETES)).map((name) => join(KUBERNETES, name));

test.each(manifests)("Kubernetes knows every field of %s", async (manifest) => {
  const documents = parseAllDocuments(await readFile(manifest, "utf8"));
  const { stdout, stderr } = await run(pythonProgram(KUBERNETES_VALIDATE), ["--strict", manifest]);
  expect((stdout + stderr).match(/ passed for resource /g)).toHaveLength(documents.length);
});

test("a field that Kubernetes doesn't know is told", async () => {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-manifest-"));
  try {
    const text = await readFile(join(KUBERNETES, "thoughtflow.yaml"), "utf8");
    const manifest = join(dir, "wrong.yaml");
    await writeFile(manifest, text.replace("replicas: 1", "replica: 1"));
    const check = run(pythonProgram(KUBERNETES_VALIDATE), ["--strict", manifest]);
    const said = check.catch(
      ({ stdout, stderr }: Readonly<Record<string, string>>) => `${stdout}${stderr}`,
    );
    expect(await said).toMatch(/did not validate .*replica/s);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

test("the sidecar's configuration is valid to a Collector", async () => {
  const [config] = parseAllDocuments(
    await readFile(join(KUBERNETES, "collector-sidecar.yaml"), "utf8"),
  );
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-sidecar-"));
  try {
    const file = join(dir, "sidecar.yaml");
    await writeFile(file, config?.toJS().data["sidecar.yaml"]);
    await run(goBinary(COLLECTOR), ["validate", "--config", file], {
      env: { GATEWAY_OTLP_ENDPOINT: "http://thoughtflow-gateway:4318" },
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
}

test("compose.yaml names images by version, files that are there, and ports of this machine only", async () => {
  const compose: { readonly services: Readonly<Record<string, ComposeService>> } = parse(
    await readFile(join(DEPLOY, "compose.yaml"), "utf8"),
  );
  const services = Object.entries(compose.services);
  expect(Object.keys(compose.services).sort()).toEqual([
    "collector",
    "grafana",
    "jaeger",
    "prometheus",
    "tempo",
    "thoughtflow",
  ]);
  for (const [name, { image, build, volumes = [], ports = [] }] of services) {
    if (build === undefined) expect(image, name).toMatch(/:v?\d+\.\d+\.\d+$/);
    else await access(join(DEPLOY, build, "Dockerfile"));
    for (const volume of volumes.filter((one) => one.startsWith(".")))
      await access(join(DEPLOY, volume.split(":")[0] ?? ""));
    for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
  }
});

test("systemd has nothing to say against the unit", async () => {
  const unit = join(DEPLOY, "systemd", "thoughtflow.service");
  expect(await run("systemd-analyze", ["verify", unit])).toEqual({ stdout: "", stderr: "" });
});
