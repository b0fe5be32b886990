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
