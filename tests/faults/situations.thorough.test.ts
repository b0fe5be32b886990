import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stepIds, verifyFlows } from "./verify-flows.ts";

const app = join(import.meta.dirname, "apps", "steps.mjs");
const timeout = 60_000;

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "thoughtflow-situations-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface Outcome {
  readonly dir: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the app through a situation; `limit` is a shell's word on what the process may have. */
async function meet(args: readonly string[], environment = {}, limit = ":"): Promise<Outcome> {
  const dir = join(await mkdtemp(join(root, "app-")), "flows");
  const env = { PATH: process.env["PATH"], THOUGHTFLOW_DIR: dir, ...environment };
  return new Promise((resolve) => {
    const command = ["-c", `${limit}; exec "$0" "$@"`, process.execPath, app, ...args];
    const child = execFile("/bin/sh", command, { env }, (_error, stdout, stderr) => {
      resolve({ dir, code: child.exitCode, signal: child.signalCode, stdout, stderr });
    });
  });
}

test.concurrent.for([
  "nothing at all",
  "process.exit(3)",
  "an error",
  "a rejection",
  "SIGTERM",
  "SIGHUP",
  "SIGINT twice",
  "SIGINT twice, handled",
  "a clock that goes a day back",
  "a clock that goes a day ahead",
  "a blocked event loop",
])(
  "%s costs no step, and the app ends as it would have",
  { timeout },
  async (situation, { expect }) => {
    const [bare, observed] = [await meet([situation], { BARE: "yes" }), await meet([situation])];
    const { sessions, problems } = await verifyFlows(observed.dir);
    const withoutPid = ({ stderr, ...outcome }: Outcome) => ({
      ...outcome,
      dir: "",
      // By which turn of the loop the app came there, which frames of the stack tell, is chance.
      stderr: stderr.split("\n").filter((line) => !/^ {4}at /.test(line)),
    });
    expect(withoutPid(observed)).toEqual(withoutPid(bare));
    expect(problems).toEqual([]);
    expect(stepIds(sessions[0])).toHaveLength(100);
    const steps = sessions[0]?.conversations.flatMap((run) => run.steps) ?? [];
    expect(steps.filter(({ duration_ms = 0 }) => duration_ms < 0 || duration_ms > 10_000)).toEqual(
      [],
    );
  },
);

test.concurrent.for(["worker threads", "forked processes", "a cluster"])(
  "three writers of one session, as %s, keep all of their 150 steps",
  { timeout },
  async (situation, { expect }) => {
    const { dir, code, stderr } = await meet([situation]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { sessions, problems } = await verifyFlows(dir);
    expect(problems).toEqual([]);
    expect(sessions.map((session) => stepIds(session).length)).toEqual([150]);
    expect(sessions[0]?.completeness).toEqual({ status: "complete" });
  },
);

test("a directory that is deleted is made again, with all that comes later", {
  timeout,
}, async () => {
  const { dir, code, stderr } = await meet(["its directory deleted"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { sessions, problems } = await verifyFlows(dir);
  expect(problems).toEqual([]);
  expect(stepIds(sessions[0])).toHaveLength(50);
});

test.for([
  ["a file", async (dir: string) => expect(await readFile(dir, "utf8")).toBe("a file")],
  ["a link", async (dir: string) => expect(await readdir(`${dir}.elsewhere`)).toEqual([])],
] as const)(
  "%s in place of the directory is left alone, and told once",
  { timeout },
  async ([thing, look]) => {
    const { dir, code, stdout, stderr } = await meet([`${thing} in place of its directory`]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
    expect(stderr.match(/THOUGHTFLOW_DIRECTORY/g)).toHaveLength(1);
    await look(dir);
    const { sessions, problems } = await verifyFlows(`${dir}.away`);
    expect(problems).toEqual([]);
    expect(stepIds(sessions[0]).length).toBeGreaterThanOrEqual(50);
  },
);

test("a process without descriptors loses nothing once it has some again", {
  timeout,
}, async () => {
  const { dir, code, stdout } = await meet(["no descriptor left"], {}, "ulimit -n 60");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
  const { sessions, problems } = await verifyFlows(dir);
  expect(problems).toEqual([]);
  expect(stepIds(sessions[0])).toHaveLength(150);
});

test("where files may not grow the app goes on, and what is there is whole", {
  timeout,
}, async () => {
  // In units of 512 or 1024 bytes.
  const { dir, code, signal, stdout, stderr } = await meet(["nothing at all"], {}, "ulimit -f 16");
  expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: "done\n" });
  expect(stderr.match(/THOUGHTFLOW_DIRECTORY/g)).toHaveLength(1);
  expect((await verifyFlows(dir)).problems).toEqual([]);
});

test.runIf(existsSync("/proc/self"))(
  "a directory that can't be made is one warning, and no other difference",
  { timeout },
  async () => {
    const { code, stdout, stderr } = await meet(["nothing at all"], {
      THOUGHTFLOW_DIR: "/proc/thoughtflow/flows",
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
    expect(stderr.match(/THOUGHTFLOW_DIRECTORY/g)).toHaveLength(1);
  },
);

test("with the sampler off the file is complete", { timeout }, async () => {
  const { dir } = await meet(["nothing at all"], { OTEL_TRACES_SAMPLER: "always_off" });
  const { sessions } = await verifyFlows(dir);
  expect(stepIds(sessions[0])).toHaveLength(100);
});
