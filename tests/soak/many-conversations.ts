import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { checkSession, readSession } from "@thoughtflow/schema";
import { startAgentServer } from "./agent-server.ts";

const REGISTER = join(import.meta.dirname, "../../packages/node/dist/register.js");
/** Many conversations in one process; every call in a file, once, and no leak. Answers what is wrong. */
export async function manyConversations(conversations: number): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-soak-"));
  const server = await startAgentServer();
  const problems: string[] = [];
  const began = performance.now();
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [
        "--expose-gc",
        "--import",
        pathToFileURL(REGISTER).href,
        join(import.meta.dirname, "many-conversations-app.mjs"),
        String(conversations),
      ],
      {
        env: { ...process.env, OPENAI_BASE_URL: server.url, THOUGHTFLOW_DIR: join(dir, "flows") },
        maxBuffer: 1 << 26,
      },
    );
    const seconds = (performance.now() - began) / 1000;
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { calls } = lines.at(-1);
    if (stderr !== "") problems.push(`stderr: ${stderr.slice(0, 300)}`);
    const samples = lines.slice(0, -1);
    for (const { id, heapMiB, rssMiB } of samples)
      console.log(
        `conversation ${id}: heap ${heapMiB.toFixed(0)} MiB, rss ${rssMiB.toFixed(0)} MiB`,
      );
    const [early, late] = [samples[2], samples.at(-1)];
    const growth = ((late.heapMiB - early.heapMiB) * 2 ** 20) / (late.calls - early.calls);
    if (growth > 2_000) problems.push(`the heap grows by ${growth.toFixed(0)} bytes a call`);

    const names = (await readdir(join(dir, "flows"))).filter((name) => name.endsWith(".json"));
    if (names.length !== conversations)
      problems.push(`${conversations} conversations gave ${names.length} files`);
    let told = 0;
    for (const name of names) {
      const read = readSession(await readFile(join(dir, "flows", name), "utf8"));
      if (!read.ok) {
        problems.push(`${name}: ${read.problems[0]?.message}`);
        continue;
      }
      const { session } = read;
      told += session.totals?.model_calls ?? 0;
      if (session.conversations.length !== 5)
        problems.push(`${name}: ${session.conversations.length} runs instead of 5`);
      if (session.completeness?.status !== "complete")
        problems.push(`${name}: ${JSON.stringify(session.completeness)}`);
      for (const problem of checkSession(session)) problems.push(`${name}: ${problem.message}`);
    }
    if (told !== calls) problems.push(`${calls} calls, ${told} in the files`);
    console.log(
      `${conversations} conversations, ${calls} calls in ${seconds.toFixed(0)} s, ${growth.toFixed(0)} bytes of heap a call, ${problems.length} problems`,
    );
  } finally {
    server.close();
    await rm(dir, { recursive: true, force: true });
  }
  return problems;
}
