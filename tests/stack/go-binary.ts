import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";

/** A program that is built from a Go module of this repository, which requires the program's own. */
export interface GoProgram {
  readonly name: string;
  /** The module that the program is part of. */
  readonly module: string;
  /** Where `go.mod` and `go.sum` stand. */
  readonly folder: string;
  /** How long a build takes, in words. */
  readonly patience: string;
}

export const JAEGER: GoProgram = {
  name: "jaeger",
  module: "github.com/jaegertracing/jaeger",
  folder: join(ROOT, "deploy", "jaeger"),
  patience: "about four minutes",
};

/** Its licence is the AGPL: a peer to test with, never linked or shipped. */
export const TEMPO: GoProgram = {
  name: "tempo",
  module: "github.com/grafana/tempo",
  folder: join(import.meta.dirname, "tempo"),
  patience: "about four minutes",
};

/**
 * The path of a program built from its `go.mod`: built when it is first asked for (minutes), then kept outside the tree
 * under the version and the hash of the two module files.
 *
 * @throws when Go is missing or the build fails, with the command that was tried.
 */
export function goBinary({ name, module, folder, patience }: GoProgram): string {
  const modules = readFileSync(join(folder, "go.mod"), "utf8");
  const sums = readFileSync(join(folder, "go.sum"), "utf8");
  const version = new RegExp(`^require ${module} (\\S+)`, "m").exec(modules)?.[1];
  const hash = createHash("sha256").update(modules).update(sums).digest("hex").slice(0, 12);
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const kept = join(cache, "thoughtflow-stack", `${name}-${version}-${hash}`);
  const binary = join(kept, name);
  if (existsSync(binary)) return binary;

  console.error(`Building ${name} ${version} into ${kept}: ${patience}, once …`);
  mkdirSync(kept, { recursive: true });
  // Built beside its place and moved there, so that a killed build leaves nothing that looks whole.
  const unfinished = join(kept, `building-${process.pid}`);
  const args = ["build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", unfinished];
  const { status, error, stderr } = spawnSync("go", [...args, `${module}/cmd/${name}`], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly" },
  });
  if (error !== undefined && "code" in error && error.code === "ENOENT") {
    throw new Error(
      "Go is missing: the stack tests build real backends with it (go ≥ 1.26 on PATH).",
    );
  }
  if (status !== 0) {
    const command = `go ${args.join(" ")} ${module}/cmd/${name}`;
    throw new Error(`${name} could not be built: ${command} in ${folder}\n${stderr}`, {
      cause: error,
    });
  }
  renameSync(unfinished, binary);
  return binary;
}
