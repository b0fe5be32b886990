import type { FlowRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { createImportReport } from "./create-import-report.ts";

const key = "sk-proj-0123456789abcdefghijklmnop";

test("secrets are masked by what they look like and by what their attribute is called, and nothing else is", async () => {
  const record: FlowRecord = {
    type: "span_end",
    traceId: "1".repeat(32),
    spanId: "2".repeat(16),
    name: "call",
    kind: "client",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    status: { code: "unset" },
    attributes: { before: "hunter2", "db.password": "hunter2", after: "hunter2", [key]: key },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
  async function* records() {
    yield record;
  }
  const masked: FlowRecord[] = [];
  for await (const one of createImportReport(() => {}).masked(records())) masked.push(one);
  expect(masked).toEqual([
    {
      ...record,
      attributes: {
        before: "hunter2",
        "db.password": "[redacted: password]",
        after: "hunter2",
        "[redacted: api_key]": "[redacted: api_key]",
      },
    },
  ]);
});

test("agents that nobody asked for are one line, which names the first of them", () => {
  const said: string[] = [];
  const report = createImportReport((line) => said.push(line));
  for (const agent of ["a", "b", "c", "d"]) report.unasked("s", agent);
  expect(said).toEqual([]);
  report.sayLosses();
  expect(said).toEqual(["No tool call asked for 4 agents: a (s), b (s), c (s) …"]);
});

test("ties that were lost stand before fields that nobody misses", () => {
  const said: string[] = [];
  const report = createImportReport((line) => said.push(line));
  report.lost("record version", "of the program");
  report.lost("tie of a fork to a session that is not here", "import both at once to have it");
  report.lost("record cwd", "of the machine");
  report.sayLosses();
  expect(said).toEqual([
    "Left out: 1 × tie of a fork to a session that is not here: import both at once to have it.",
    "Left out: 1 × record version: of the program.",
    "Left out: 1 × record cwd: of the machine.",
  ]);
});
