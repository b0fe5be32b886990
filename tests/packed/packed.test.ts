import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createReplayServer, loadExchanges } from "@thoughtflow/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { createEmptyProject, type EmptyProject, installOldestNode } from "./empty-project.ts";

const run = promisify(execFile);

let oldestNode: string;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-node-"));
  oldestNode = await installOldestNode(dir);
  return () => rm(dir, { recursive: true, force: true });
});

const NODES = [
  { version: "20.19", binary: () => oldestNode },
  { version: "24", binary: () => process.execPath },
];

const KINDS = [
  {
    type: "module",
    hook: "--import",
    app: "app.mjs",
    load: "import(name)",
  },
  {
    type: "commonjs",
    hook: "--require",
    app: "app.cjs",
    load: "require(name)",
  },
] as const;

/** An app's view of itself, and what its flow directory holds. */
async function runApp(
  node: string,
  args: readonly string[],
  cwd: string,
): Promise<{ stdout: string; stderr: string; requests: readonly unknown[] }> {
  await using server = await createReplayServer(loadExchanges("simonw-llm/chat-tool-chain"));
  const { stdout, stderr } = await run(node, args, {
    cwd,
    env: { PATH: process.env["PATH"], OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${server.url}/v1` },
  });
  return { stdout, stderr, requests: server.requests.map(({ path, body }) => ({ path, body })) };
}

describe.each(KINDS)("an empty project of type $type", ({ type, hook, app, load }) => {
  let project: EmptyProject;

  beforeAll(async () => {
    project = await createEmptyProject(type);
    return () => project[Symbol.asyncDispose]();
  });

  test("gets neither tests nor what only tests use", async () => {
    const folders = project.packages.map((name) => join(project.dir, "node_modules", name));
    const files = await Promise.all(folders.map((dir) => readdir(dir, { recursive: true })));
    expect(files.flat()).toContain(join("dist", "index.js"));
    expect(files.flat().filter((file) => /\.test\.|fixtures|testing/.test(file))).toEqual([]);
  });

  test("compiles against the types, the libraries' own included", async () => {
    const imports = project.packages.map((name, at) => `import * as p${at} from "${name}";`);
    const names = project.packages.map((_, at) => `p${at}`);
    const program = [...imports, `export const all: object[] = [${names.join(", ")}];`].join("\n");
    await writeFile(join(project.dir, "types.ts"), program);
    const options = "--noEmit --strict --module nodenext --target es2022 --types node".split(" ");
    const { stdout } = await run(
      join(ROOT, "node_modules", ".bin", "tsc"),
      [...options, "types.ts"],
      {
        cwd: project.dir,
      },
    ).catch((error: { stdout: string }) => error);
    // Errors inside other people's types are theirs; those that name ours count.
    expect(stdout.split("\n").filter((line) => line.includes("thoughtflow"))).toEqual([]);
  });

  describe.each(NODES)("on Node $version", ({ binary }) => {
    test("loads every package", async () => {
      const script = `(async () => {
        const loaded = {};
        for (const name of ${JSON.stringify(project.packages)}) {
          loaded[name] = Object.keys(await ${load}).length > 0;
        }
        console.log(JSON.stringify(loaded));
      })()`;
      const { stdout, stderr } = await run(binary(), ["-e", script], { cwd: project.dir });
      const all = Object.fromEntries(project.packages.map((name) => [name, true]));
      expect({ loaded: JSON.parse(stdout), stderr }).toEqual({ loaded: all, stderr: "" });
    });

    test(`${hook} leaves the app as it is and writes its flow`, async () => {
      const flow = join(project.dir, "thoughtflow");
      await rm(flow, { recursive: true, force: true });
      const bare = await runApp(binary(), [app], project.dir);
      const hooked = await runApp(binary(), [hook, "@thoughtflow/node/register", app], project.dir);
      expect(hooked).toEqual(bare);

      const files = (await readdir(flow)).filter((name) => !name.startsWith(".")).sort();
      const [id] = files.map((name) => name.replace(/\.\w+$/, ""));
      expect(files).toEqual([`${id}.d2`, `${id}.json`, `${id}.svg`]);
      const session = JSON.parse(await readFile(join(flow, `${id}.json`), "utf8"));
      const labels = session.conversations.map(({ steps }: { steps: { label: string }[] }) =>
        steps.map(({ label }) => label),
      );
      expect(labels).toEqual([
        [
          ...["user_message", "assistant_call"],
          ...["tool_call", "tool_output", "assistant_call"],
          ...["tool_call", "tool_output", "assistant_call"],
          "assistant_message",
        ],
      ]);

      const cli = join(project.dir, "node_modules", "thoughtflow", "dist", "main.js");
      const shown = await run(binary(), [cli, "show", "latest"], { cwd: project.dir });
      expect(shown.stdout).toContain("lookup_population");
      await run(binary(), [cli, "validate", "latest"], { cwd: project.dir });
    });
  });
});
