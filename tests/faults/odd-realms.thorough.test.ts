import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runNode, sessionsIn } from "../setups/run-app.ts";
import { stepIds, verifyFlows } from "./verify-flows.ts";

const app = join(import.meta.dirname, "apps", "odd-realm.mjs");

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "thoughtflow-realms-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function outcomeOf(what: string, when: string) {
  const dir = join(await mkdtemp(join(root, "app-")), "flows");
  const { code, stdout, stderr } = await runNode([app, what, when], { THOUGHTFLOW_DIR: dir });
  return { code, stdout, stderr, dir };
}

const changes = [
  "JSON.parse throws",
  "JSON.parse gives something else",
  "JSON.stringify throws",
  "JSON.stringify gives something else",
  "no JSON",
  "lists have a toJSON",
  "objects have a toJSON",
  "objects have a member that is listed",
  "prototypes are frozen",
  "Array.map gives nothing",
  "expressions match nothing",
  "another Promise",
  "Math.random is seeded",
  "timers do nothing",
];

test.concurrent.for(
  changes.flatMap((what) => ["after", "flushed"].map((when) => ({ what, when }))),
)("where $what, $when, no step is lost", async ({ what, when }, { expect }) => {
  const { dir, ...ending } = await outcomeOf(what, when);
  expect(ending).toEqual({ code: 0, stdout: "done\n", stderr: "" });
  const { sessions, problems } = await verifyFlows(dir);
  expect(problems).toEqual([]);
  const journal = await readdir(join(dir, ".journal"));
  expect(journal.some((name) => name.endsWith(".state.json"))).toBe(true);
  expect(sessions.map((session) => [session.status, stepIds(session).length])).toEqual([
    ["completed", 20],
  ]);
});

test("processes whose Math.random is seeded alike have sessions of their own", async () => {
  const { dir } = await outcomeOf("Math.random is seeded", "before");
  const { sessions } = await verifyFlows(dir);
  expect(stepIds(sessions[0])).toHaveLength(20);
});

test("what can't be recorded, since the clock throws, is told and counted", async () => {
  const { code, stdout, stderr } = await outcomeOf("Date.now throws", "after");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
  expect(stderr).toMatch(/ThoughtFlowWarning: 21 times something could not be recorded.*not here/);
});

test.concurrent.for(
  [
    "Array.isArray",
    "Array.prototype.join",
    "Array.prototype.push",
    "Map.prototype.get",
    "Map.prototype.set",
    "Object.assign",
    "Object.hasOwn",
    "Object.keys",
    "Set.prototype.add",
    "String.prototype.charCodeAt",
    "String.prototype.slice",
    "String.prototype.split",
    "WeakMap.prototype.get",
  ].flatMap((name) => ["after", "flushed"].map((when) => ({ name, when }))),
)(
  "where there is no $name, $when, the app goes on, and what is lost is told",
  async ({ name, when }, { expect }) => {
    const { code, stdout, stderr, dir } = await outcomeOf(`no ${name}`, when);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
    const [session] = await sessionsIn(dir);
    if (session === undefined || stepIds(session).length < 20)
      expect(stderr).toMatch(/\[THOUGHTFLOW_(?:FAILED|DIRECTORY)\]/);
  },
);

test("an app without Promise.prototype.then loses nothing, since `await` needs none", async () => {
  const { code, stdout } = await outcomeOf("no Promise.prototype.then", "after");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
});
