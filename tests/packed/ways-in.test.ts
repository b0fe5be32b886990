import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { arch } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createReplayServer, type Exchange } from "@thoughtflow/testkit";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { completion, toolLoop } from "../setups/completion.ts";
import { sessionsIn } from "../setups/run-app.ts";
import { createEmptyProject, type EmptyProject, npmInstall } from "./empty-project.ts";

const run = promisify(execFile);
const timeout = 300_000;

/** What is too heavy for `npm test` to install. */
const BUN = `@oven/bun-linux-${arch() === "arm64" ? "aarch64" : "x64"}`;
const DENO = `@deno/linux-${arch()}-glibc`;

let project: EmptyProject;
let flow = "";

beforeAll(async () => {
  project = await createEmptyProject("module");
  flow = join(project.dir, "thoughtflow");
  return () => project[Symbol.asyncDispose]();
});

beforeEach(() => rm(flow, { recursive: true, force: true }));

function environment(url: string): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1` };
}

/** Runs a program in the project, before a model that gives these answers. */
async function answered(exchanges: readonly Exchange[], file: string, args: readonly string[]) {
  await using server = await createReplayServer(exchanges);
  const { stdout, stderr } = await run(file, args, {
    cwd: project.dir,
    env: environment(server.url),
  });
  return { stdout, stderr };
}

async function modelCalls(): Promise<readonly (number | undefined)[]> {
  return (await sessionsIn(flow)).map(({ totals }) => totals?.model_calls);
}

test("Bun and Deno: the class handed over, and the shutdown waited for", { timeout }, async () => {
  await npmInstall(project.dir, [`${BUN}@1.4.5`, `${DENO}@2.9.6`]);
  await cp(join(ROOT, "examples/bun-and-deno"), project.dir, { recursive: true });
  const modules = join(project.dir, "node_modules");
  const programs: readonly (readonly [string, readonly string[]])[] = [
    [join(modules, BUN, "bin/bun"), ["run", "app.mjs"]],
    [join(modules, DENO, "deno"), ["run", "--allow-all", "app.mjs"]],
  ];
  for (const [file, args] of programs) {
    await rm(flow, { recursive: true, force: true });
    const printed = await answered([completion({ content: "Hi." })], file, args);
    expect(printed).toEqual({ stdout: "stop\n", stderr: "" });
    expect(await modelCalls()).toEqual([1]);
  }
});

test("LangChain and the OpenAI Agents SDK: each model call once, also one that another span reports", {
  timeout,
}, async () => {
  const packages = ["@langchain/openai@1.6.0", "@langchain/core@1.4.0", "@openai/agents@0.20.0"];
  await npmInstall(project.dir, [...packages, "zod@4"]);
  const answers = [
    completion({ content: "Hi." }),
    ...toolLoop("call_1", "add", "Three."),
    completion({ content: "Bye." }),
  ];
  const args = ["--import", "@thoughtflow/node/register", "frameworks.mjs"];
  const { stdout, stderr } = await answered(answers, process.execPath, args);
  expect({ stdout, stderr }).toEqual({ stdout: "Hi.\nThree.\nBye.\n", stderr: "" });
  const sessions = await sessionsIn(flow);
  const sum = (name: "model_calls" | "input_tokens" | "tool_calls") =>
    sessions.reduce((total, { totals }) => total + (totals?.[name] ?? 0), 0);
  expect([sum("model_calls"), sum("tool_calls"), sum("input_tokens")]).toEqual([4, 1, 4 * 8]);
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((one) => one.steps));
  const outer = steps.flatMap(({ outer_span_id: id }) => id ?? []);
  expect(outer).toHaveLength(1);
  expect(steps.find(({ span_id }) => span_id === outer[0])?.usage).toBeUndefined();
});

test("Next.js: `register()` in instrumentation.js, openai outside of the bundle", {
  timeout,
}, async () => {
  await npmInstall(project.dir, ["next@16.4.6", "react@19", "react-dom@19"]);
  await cp(join(ROOT, "examples/next"), project.dir, { recursive: true });
  const next = join(project.dir, "node_modules/next/dist/bin/next");
  await using server = await createReplayServer([completion({ content: "Hi." })]);
  const env = { ...environment(server.url), NEXT_TELEMETRY_DISABLED: "1" };
  await run(process.execPath, [next, "build"], { cwd: project.dir, env });
  const port = await freePort();
  const app = spawn(process.execPath, [next, "start", "-p", `${port}`, "-H", "127.0.0.1"], {
    cwd: project.dir,
    env,
    stdio: "ignore",
  });
  try {
    const url = `http://127.0.0.1:${port}/answer`;
    expect(await (await asked(url)).json()).toEqual({ finish: "stop" });
  } finally {
    const ended = once(app, "exit");
    app.kill("SIGTERM");
    await ended;
  }
  expect(await modelCalls()).toEqual([1]);
});

/** The answer of a server that is still starting. */
async function asked(url: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url, { method: "POST", body: "What's the weather in Seattle?" });
    } catch {
      await sleep(100);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
