import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { identityOf, lifeOf, type ProcessView, parseIdentity } from "./process-identity.ts";

const view: ProcessView = {
  space: "here",
  isRunning: (pid) => pid < 10,
  startOf: (pid) => (pid < 5 ? `${pid}000` : undefined),
};

it.each([
  ["runs", { pid: 1, started: "1000" }, "alive"],
  ["has ended", { pid: 10, started: "1000" }, "dead"],
  ["has ended, and its number is another's", { pid: 1, started: "999" }, "dead"],
  ["runs where no start is told", { pid: 6 }, "alive"],
  ["is in another container, with a number that runs here", { pid: 1, space: "there" }, "unknown"],
  ["was there before the machine started anew", { pid: 10, space: "boot 1" }, "unknown"],
])("tells a process that %s", (_, identity, life) => {
  expect(lifeOf({ thread: 0, space: "here", ...identity }, view)).toBe(life);
});

it("tells a real process from its end on, also while its parent hasn't asked for it", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  const identity = identityOf(child.pid ?? 0);
  expect([lifeOf(identity), lifeOf(identityOf(process.pid))]).toEqual(["alive", "alive"]);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(lifeOf(identity)).toBe("dead");
});

it("reads an identity back, and nothing else", () => {
  const identity = identityOf(process.pid);
  expect(parseIdentity(JSON.stringify({ writer: "w", segment: 1, ...identity }))).toEqual(identity);
  for (const text of ["", "null", "{}", '{"pid":-1,"space":""}', '{"pid":"1","space":"x"}']) {
    expect(parseIdentity(text)).toBeUndefined();
  }
});
