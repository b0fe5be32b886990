import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";

const MODULE = "github.com/jaegertracing/jaeger";
const folder = join(ROOT, "deploy", "jaeger");

/**
 * The path of a Jaeger built from `deploy/jaeger/go.mod`: built when it is first asked for (minutes),
 * then kept outside the tree under the version and the hash of the two module files.
 *
 * @throws when Go is missing or the build fails, with the command that was tried.
 */
export function jaegerBinary(): string {
  const modules = readFileSync(join(folder, "go.mod"), "utf8");
  const sums = readFileSync(join(folder, "go.sum"), "utf8");
  const version = new RegExp(`^require ${MODULE} (\\S+)`, "m").exec(modules)?.[1];
  const hash = createHash("sha256").update(modules).update(sums).digest("hex").slice(0, 12);
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const kept = join(cache, "thoughtflow-stack", `jaeger-${version}-${hash}`);
  const binary = join(kept, "jaeger");
  if (existsSync(binary)) return binary;

  console.error(`Building Jaeger ${version} into ${kept}: about four minutes, once …`);
  mkdirSync(kept, { recursive: true });
  // Built beside its place and moved there, so that a killed build leaves nothing that looks whole.
  const unfinished = join(kept, `building-${process.pid}`);
  const args = ["build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", unfinished];
  const { status, error, stderr } = spawnSync("go", [...args, `${MODULE}/cmd/jaeger`], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly" },
  });
  if (error !== undefined && "code" in error && error.code === "ENOENT") {
    throw new Error(
      "Go is missing: the stack tests build a real Jaeger with it (go ≥ 1.26 on PATH).",
    );
  }
  if (status !== 0) {
    const command = `go ${args.join(" ")} ${MODULE}/cmd/jaeger`;
    throw new Error(`Jaeger could not be built: ${command} in ${folder}\n${stderr}`, {
      cause: error,
    });
  }
  renameSync(unfinished, binary);
  return binary;
}
