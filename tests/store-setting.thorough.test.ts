import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson } from "@thoughtflow/schema";
import { documentOf, openStore } from "@thoughtflow/store";
import { loadExchanges } from "@thoughtflow/testkit";
import { expect, onTestFinished, test } from "vitest";
import { replayRecordings } from "./recordings/replay-recordings.ts";

const recordings = ["openllmetry-py-core/chat-tools-parallel"].map((name) => ({
  name,
  exchanges: loadExchanges(name),
}));

test("an app with THOUGHTFLOW_STORE_URL leaves its sessions in the store, too", async () => {
  const dir = mkdtempSync(join(tmpdir(), "store-setting-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "team.db");
  const { sessions, stderr } = await replayRecordings(recordings, { THOUGHTFLOW_STORE_URL: path });
  expect(stderr).toBe("");
  const store = await openStore(path);
  expect(sessions.length).toBeGreaterThan(0);
  for (const session of sessions)
    expect(await documentOf(store, session.session_id)).toBe(canonicalJson(session));
  await store.close();
});

test("a database that is down costs the app one warning, and the files nothing", async () => {
  const { sessions, calls, stderr } = await replayRecordings(recordings, {
    THOUGHTFLOW_STORE_URL: "postgres://me:secret@127.0.0.1:1/flows",
  });
  expect(stderr.match(/THOUGHTFLOW_STORE_UNREACHABLE/g)).toHaveLength(1);
  expect(stderr).toMatch(/postgres:\/\/me:\*\*\*@127\.0\.0\.1:1\/flows can't be opened/);
  expect(sessions.length).toBeGreaterThan(0);
  expect(calls.map(({ instrumented }) => instrumented)).toEqual(calls.map(({ bare }) => bare));
});
