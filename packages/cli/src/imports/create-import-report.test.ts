import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { plainRecord } from "../../../otlp/testing/plain-record.ts";
import { createImportReport } from "./create-import-report.ts";

const key = "sk-proj-0123456789abcdefghijklmnop";

const SPAN = plainRecord(1);

async function maskedOf(record: FlowRecord): Promise<readonly FlowRecord[]> {
  async function* records() {
    yield record;
  }
  const masked: FlowRecord[] = [];
  for await (const one of createImportReport(() => {}).masked(records())) masked.push(one);
  return masked;
}

test.each<Partial<SpanRecord>>([
  { scope: { name: `sdk ${key}` } },
  { scope: { name: "sdk", version: key } },
  { events: [{ name: key, timeUnixNano: "1", attributes: {} }] },
  { links: [{ traceId: SPAN.traceId, spanId: SPAN.spanId, attributes: { [key]: key } }] },
  { attributes: { "gen_ai.agent.id": `agent_${key}` } },
])("no part of a record keeps a secret: %o", async (part) => {
  const [masked] = await maskedOf({ ...SPAN, ...part });
  expect(JSON.stringify(masked)).toContain("[redacted: api_key]");
  expect(JSON.stringify(masked)).not.toContain(key);
});

test.each(["session.id", "gen_ai.conversation.id", "gen_ai.agent.id"])(
  "two of %s that are masked are still two, and each is the same wherever it stands",
  async (name) => {
    const idOf = async (id: string) => {
      const [masked] = await maskedOf({ ...SPAN, attributes: { [name]: id } });
      return masked?.type === "span_end" ? masked.attributes[name] : undefined;
    };
    expect(await idOf(key)).toMatch(/^\[redacted: api_key\]~[\da-f]{8}$/);
    expect(await idOf(key)).toBe(await idOf(key));
    expect(await idOf(`${key}q`)).not.toBe(await idOf(key));
  },
);

test("secrets are masked by what they look like and by what their attribute is called, and nothing else is", async () => {
  const record: FlowRecord = {
    ...SPAN,
    attributes: { before: "hunter2", "db.password": "hunter2", after: "hunter2", [key]: key },
  };
  expect(await maskedOf(record)).toEqual([
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

function aReportOfLosses(isVerbose: boolean): string[] {
  const said: string[] = [];
  const report = createImportReport((line) => said.push(line), { isVerbose });
  report.detailCount("record version", "of the program").count = 12;
  report.detailCount("record userType", "of the program").count = 1_188;
  report.detailCount("record cwd", "of the machine").count = 34;
  report.detailCount("words *", "of the machine").count = 40;
  report.detailCount("words *", "of the machine").names = new Set([
    "slug",
    "level",
    "a",
    "b",
    "c",
    "d",
  ]);
  report.lossCount("part picture", "no place for it").count = 2;
  report.lost("tie of a fork to a session that is not here", "import both at once to have it");
  report.odd("it is no JSON");
  report.sayLosses();
  return said;
}

test("what is lost of the work is told first, ties before all, and the program's own bookkeeping as one count", () => {
  expect(aReportOfLosses(false)).toEqual([
    "Left out: 1 × tie of a fork to a session that is not here: import both at once to have it.",
    "Left out: 2 × part picture: no place for it.",
    "Kept as text: 1 × line that can't be read (it is no JSON).",
    "Left out: 1274 values in 4 fields of bookkeeping; import --verbose names each, and why.",
  ]);
});

test("each field is named where all is asked for", () => {
  expect(aReportOfLosses(true)).toEqual([
    "Left out: 1 × tie of a fork to a session that is not here: import both at once to have it.",
    "Left out: 2 × part picture: no place for it.",
    "Kept as text: 1 × line that can't be read (it is no JSON).",
    "Left out: 12 × record version, 1188 × record userType: of the program.",
    "Left out: 34 × record cwd, 40 × words * (slug, level, a, b, c …): of the machine.",
  ]);
});

test("what a file calls its records and fields is told without secrets, on one line, and does nothing to the terminal", () => {
  const key = `sk-proj-${"a1B2".repeat(10)}`;
  const tellingOf = (isMasked: boolean) => {
    const said: string[] = [];
    const report = createImportReport((line) => said.push(line), { isMasked, isVerbose: true });
    report.lost(`record sk-\u001b[31m${key.slice(3)}`, "not known to this import");
    report.odd(`Unexpected token in "${key}\nReplaced: all"`);
    report.detailCount(`record ${key}`, "of the program").count = 1;
    report.warn(`s1: no run holds line 1 (${key}\u001b]0;title\u0007)`);
    report.unread("f.json", key);
    report.sayLosses();
    report.sayUnread();
    return said;
  };
  const masked = tellingOf(true);
  expect(masked).toHaveLength(5);
  expect(masked.filter((line) => line.includes("[redacted: api_key]"))).toHaveLength(5);
  expect(masked.join("")).not.toMatch(/a1B2|\p{Cc}/u);
  const plain = tellingOf(false);
  expect(plain.filter((line) => line.includes(key))).toHaveLength(5);
  expect(plain.join("")).not.toMatch(/\p{Cc}/u);
});
