import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { createLentMemory, type LentMemory } from "@thoughtflow/journal";
import type { ScannedRequest } from "@thoughtflow/otlp";
import type { TakenAs } from "@thoughtflow/processor/intake";
import { describe, expect, test } from "vitest";
import { requestOf, toolSpan } from "../testing/received-spans.ts";
import { createIngest } from "./ingest.ts";
import { resolveServerOptions } from "./server-options.ts";

const noMetrics = { answered: () => {}, rejected: () => {} };

function request(bytes: Uint8Array): IncomingMessage {
  const headers = {
    "content-type": "application/x-protobuf",
    "content-length": String(bytes.length),
  };
  return Object.assign(Readable.from([Buffer.from(bytes)]), { headers }) as never;
}

function setUp(takenAs: TakenAs, onKept: (request: ScannedRequest) => Promise<void>) {
  const given: Buffer[] = [];
  const back: Buffer[] = [];
  const all = createLentMemory(2 ** 24);
  const memory: LentMemory = {
    take(bytes) {
      const taken = all.take(bytes);
      given.push(taken);
      return taken;
    },
    giveBack(bytes) {
      back.push(bytes);
      all.giveBack(bytes);
    },
  };
  const intake = { take: async () => takenAs } as never;
  const ingest = createIngest(
    intake,
    resolveServerOptions({ dir: "unused" }),
    noMetrics as never,
    onKept,
    memory,
  );
  return { ingest, given, back };
}

const large = (n: number) =>
  requestOf(
    toolSpan(n, { content: { "gen_ai.tool.call.result": `"${n}${"a".repeat(2 ** 17)}"` } }),
  );

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe("the memory of a body", () => {
  test("is another's once who heard of its spans has looked through them, and not before", async () => {
    const looks: (() => void)[] = [];
    const { ingest, given, back } = setUp(
      "kept",
      () => new Promise((resolve) => looks.push(resolve)),
    );
    expect((await ingest.take(request(large(1)))).status).toBe(200);
    expect((await ingest.take(request(large(2)))).status).toBe(200);
    await soon();
    expect([given.length, back.length]).toEqual([2, 0]);
    expect(given[1]?.buffer).not.toBe(given[0]?.buffer);
    expect(given[0]?.equals(large(1))).toBe(true);

    looks[0]?.();
    await soon();
    expect(back).toEqual([given[0]]);
    expect((await ingest.take(request(large(3)))).status).toBe(200);
    expect(given[2]?.buffer).toBe(given[0]?.buffer);
    expect(given[1]?.equals(large(2))).toBe(true);
  });

  test("is another's, too, where the look failed, and where the spans were not kept or are none", async () => {
    const failed = setUp("kept", () => Promise.reject(new Error("no look")));
    expect((await failed.ingest.take(request(large(1)))).status).toBe(200);
    const refused = setUp("full", () => Promise.resolve());
    expect((await refused.ingest.take(request(large(1)))).status).toBe(429);
    const broken = setUp("kept", () => Promise.resolve());
    expect((await broken.ingest.take(request(Buffer.alloc(2 ** 17, 0xff)))).status).toBe(400);
    await soon();
    for (const { given, back, ingest } of [failed, refused, broken]) {
      expect(back).toEqual(given);
      expect(back).toHaveLength(1);
      expect(ingest.inFlight).toEqual({ requests: 0, bytes: 0 });
    }
  });
});
