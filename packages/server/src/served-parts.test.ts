import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, runningServer } from "../testing/running-server.ts";

const PART = `part-1-${"0a".repeat(8)}.json`;

let here: RunningServer;
beforeAll(async () => {
  here = await runningServer();
  const document = {
    schema_version: "1.0",
    session_id: "Long",
    conversations: [],
    parts: [{ path: `long~u1/${PART}`, runs: 0, steps: 0, bytes: 4, sha256: "" }],
  };
  mkdirSync(here.dir, { recursive: true });
  writeFileSync(join(here.dir, "Long~u1.json"), JSON.stringify(document));
  mkdirSync(join(here.dir, "Long~u1"));
  writeFileSync(join(here.dir, "Long~u1", PART), "part");
  writeFileSync(join(here.dir, "Long~u1", "run.json"), "not served");
  symlinkSync(join(here.dir, "Long~u1"), join(here.dir, "link"));
});
afterAll(() => here.remove());

async function ask(path: string, token?: string): Promise<[number, string]> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${here.url}/thoughtflow/${path}`, { headers });
  return [answer.status, await answer.text()];
}

test("the parts of a session are served below its id, to those who have the token", async () => {
  const { token } = here;
  expect(await ask(`Long/${PART}`, token)).toEqual([200, "part"]);
  expect((await ask(`Long/${PART}`))[0]).toBe(401);
  const others = [
    `link/${PART}`,
    `Long/run.json`,
    `Long/part-2-${"0".repeat(16)}.json`,
    `x/${PART}`,
  ];
  for (const path of others) expect([path, (await ask(path, token))[0]]).toEqual([path, 404]);
});

test("no diagram is drawn of the first of several files", async () => {
  const [status, text] = await ask("Long.mmd", here.token);
  expect([status, text]).toEqual([404, expect.stringContaining("too long")]);
});
