import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";
import { TOOL_CACHE } from "./tool-cache.ts";

/** A program that is built from a Go module of this repository. */
export interface GoProgram {
  readonly name: string;
  /** What that module requires and the program is known by. */
  readonly module: string;
  /** The package with its `main`. */
  readonly main: string;
  readonly tags?: string;
  /** Where `go.mod` and `go.sum` stand. */
  readonly folder: string;
  /** How long a build takes, in words. */
  readonly patience: string;
}

export const JAEGER: GoProgram = {
  name: "jaeger",
  module: "github.com/jaegertracing/jaeger",
  main: "github.com/jaegertracing/jaeger/cmd/jaeger",
  folder: join(ROOT, "deploy", "jaeger"),
  patience: "about four minutes",
};

/** Its licence is the AGPL: a peer to test with, never linked or shipped. */
export const TEMPO: GoProgram = {
  name: "tempo",
  module: "github.com/grafana/tempo",
  main: "github.com/grafana/tempo/cmd/tempo",
  folder: join(import.meta.dirname, "tempo"),
  patience: "about four minutes",
};

/** With the parts of `otelcol/builder.yaml`. */
export const COLLECTOR: GoProgram = {
  name: "otelcol",
  module: "go.opentelemetry.io/collector/otelcol",
  main: ".",
  tags: "grpcnotrace",
  folder: join(import.meta.dirname, "otelcol"),
  patience: "about two minutes",
};

/**
 * The path of a program built from its `go.mod`: built when it is first asked for (minutes), then kept outside the tree
 * under the version and the hash of its files.
 *
 * @throws when Go is missing or the build fails, with the command that was tried.
 */
export function goBinary({ name, module, main, tags = "", folder, patience }: GoProgram): string {
  const modules = readFileSync(join(folder, "go.mod"), "utf8");
  const version = new RegExp(`^(?:require|\\t)\\s*${module} (\\S+)`, "m").exec(modules)?.[1];
  const sources = readdirSync(folder).filter((file) => /^go\.(mod|sum)$|\.go$/.test(file));
  const all = createHash("sha256");
  for (const file of sources.sort()) all.update(readFileSync(join(folder, file)));
  const hash = all.digest("hex").slice(0, 12);
  const kept = join(TOOL_CACHE, `${name}-${version}-${hash}`);
  const binary = join(kept, name);
  if (existsSync(binary)) return binary;

  console.error(`Building ${name} ${version} into ${kept}: ${patience}, once …`);
  mkdirSync(kept, { recursive: true });
  // Built beside its place and moved there, so that a killed build leaves nothing that looks whole.
  const unfinished = join(kept, `building-${process.pid}`);
  const flags = ["-trimpath", "-buildvcs=false", "-ldflags=-s -w", `-tags=${tags}`];
  const args = ["build", ...flags, "-o", unfinished, main];
  const { status, error, stderr } = spawnSync("go", args, {
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
    const command = `go ${args.join(" ")}`;
    throw new Error(`${name} could not be built: ${command} in ${folder}\n${stderr}`, {
      cause: error,
    });
  }
  renameSync(unfinished, binary);
  return binary;
}
