import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { expect, test } from "vitest";
import { encodeFrame } from "../../packages/journal/src/frame.ts";
import { identityOf } from "../../packages/journal/src/process-identity.ts";

const JUNK = [null, 7, "x", "", [], {}, [null], [{}], true];
const span = {
  spanId: "b".repeat(16),
  parentSpanId: "c".repeat(16),
  name: "execute_tool look",
  kind: "internal",
  startTimeUnixNano: "1",
  endTimeUnixNano: "2",
  status: { code: "unset", message: "fine" },
  attributes: { "session.id": "poison", "gen_ai.operation.name": "execute_tool" },
  events: [{ name: "e", timeUnixNano: "1", attributes: {} }],
  links: [{ traceId: "d".repeat(32), spanId: "e".repeat(16), attributes: {} }],
  scope: { name: "test" },
  content: { "gen_ai.tool.call.result": '"fine"' },
};
const decision = {
  sessionId: "poison",
  runKey: `${"a".repeat(32)}/${"b".repeat(16)}`,
  status: "abandoned",
  reason: "signal",
  timeUnixNano: "3",
};

/** Copies of an object, in each of which one member, at any depth, is junk. */
function* spoiled(object: object): Generator<object> {
  for (const [name, value] of Object.entries(object)) {
    for (const junk of JUNK) yield { ...object, [name]: junk };
    if (typeof value !== "object") continue;
    for (const inner of spoiled(value))
      yield { ...object, [name]: Array.isArray(value) ? Object.values(inner) : inner };
  }
}

function frameOf(type: "span_end" | "session", trace: string, session: string, body: object) {
  const head = type === "session" ? { session } : { trace, session };
  return encodeFrame(type, `${JSON.stringify(head)}\n${JSON.stringify(body)}`);
}

/** As a later version may write them: a type that nobody knows yet, and another format. */
function framesOfLater(): readonly Buffer[] {
  const unknown = encodeFrame("session", "{}");
  unknown[4] = 99;
  unknown.writeUInt32LE(crc32(unknown.subarray(16), crc32(unknown.subarray(0, 12))), 12);
  const format = Buffer.from(unknown);
  format[3] = 2;
  return [unknown, format];
}

test("no record, whatever stands in it, keeps a session or the others of its journal from being recovered", async () => {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-poison-"));
  try {
    await mkdir(join(dir, ".journal"), { mode: 0o700 });
    const frames = [...spoiled(span)].map((body, n) =>
      frameOf("span_end", n.toString(16).padStart(32, "0"), "poison", body),
    );
    for (const body of spoiled(decision)) frames.push(frameOf("session", "", "poison", body));
    const good = { ...span, attributes: { ...span.attributes, "session.id": "good" } };
    const writer = { writer: "dead", segment: 1, ...identityOf(process.pid), started: "0" };
    await writeFile(
      join(dir, ".journal", "dead.tfj"),
      Buffer.concat([
        encodeFrame("writer", JSON.stringify(writer)),
        ...frames,
        ...framesOfLater(),
        frameOf("span_end", "f".repeat(32), "good", good),
      ]),
    );
    const { failed, sessions, quarantined } = await recoverFlows(dir);
    expect(failed).toEqual([]);
    // A type that nobody knows is passed over; a format that nobody knows is kept for those who do.
    expect(quarantined).toHaveLength(1);
    expect(sessions).toContain("good");
    expect(JSON.parse(await readFile(join(dir, "good.json"), "utf8")).totals.tool_calls).toBe(1);
    // Once is enough.
    expect((await recoverFlows(dir)).journals).toBe(0);
  } finally {
    await rm(dir, { recursive: true });
  }
});
