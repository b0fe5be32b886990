import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FlowRecord, Session } from "@thoughtflow/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepRecords } from "./keep-records.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-kept-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function step(session: string, n: number, text: string): FlowRecord {
  return {
    type: "span_end",
    traceId: session.padStart(32, "0"),
    spanId: n.toString(16).padStart(16, "0"),
    name: "node",
    kind: "internal",
    startTimeUnixNano: `${1_700_000_000 + n}000000000`,
    endTimeUnixNano: `${1_700_000_001 + n}000000000`,
    status: { code: "unset" },
    attributes: { "session.id": session, "thoughtflow.step.label": "node" },
    content: { "thoughtflow.step.payload_started": JSON.stringify({ text }) },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
}

function stepsIn(session: string): number | undefined {
  const path = join(dir, `${session}.json`);
  if (!existsSync(path)) return undefined;
  const { conversations } = JSON.parse(readFileSync(path, "utf8")) as Session;
  return conversations.flatMap(({ steps }) => steps).length;
}

test("a session's files are written while others are still told, and again when it goes on", async () => {
  const megabyte = "x".repeat(2 ** 20);
  const seen: (number | undefined)[] = [];
  function* records(): Generator<FlowRecord> {
    yield step("a", 1, "first");
    for (let n = 1; n <= 32; n++) yield step("b", n, `${n} ${megabyte}`);
    seen.push(stepsIn("a"), stepsIn("b"));
    yield step("a", 2, "later");
  }
  const told: string[] = [];
  const kept = await keepRecords(dir, records(), { onSession: (id) => told.push(id) });
  expect(seen).toEqual([1, undefined]);
  expect([stepsIn("a"), stepsIn("b")]).toEqual([2, 32]);
  expect(told).toEqual(["a", "b"]);
  expect(kept).toEqual({ records: 34, sessions: ["a", "b"], failed: [] });
});
