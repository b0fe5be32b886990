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

function setUp(takenAs: TakenAs, onKept: (request: ScannedRequest) => void = () => {}) {
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

describe("a request of too many", () => {
  const empty = (tag: number, count: number) => Buffer.alloc(2 * count, Uint8Array.of(tag, 0));
  const field = (tag: number, bytes: Buffer) => {
    const length = Uint8Array.of(
      (bytes.length & 127) | 128,
      ((bytes.length >> 7) & 127) | 128,
      ((bytes.length >> 14) & 127) | 128,
      bytes.length >> 21,
    );
    return Buffer.concat([Uint8Array.of(tag), length, bytes]);
  };

  test.each([
    ["spans, all of them broken", 413, field(10, field(18, empty(18, 200_000)))],
    ["parts that hold nothing", 400, empty(10, 600_000)],
  ])("%s, is refused", async (_what, status, body) => {
    const { ingest } = setUp("kept");
    expect((await ingest.take(request(body))).status).toBe(status);
  });
});

describe("the memory of a body", () => {
  test("is another's once who heard of its spans has looked through them, and not before", async () => {
    const backThen: number[] = [];
    const { ingest, given, back } = setUp("kept", () => backThen.push(back.length));
    expect((await ingest.take(request(large(1)))).status).toBe(200);
    expect((await ingest.take(request(large(2)))).status).toBe(200);
    expect(backThen).toEqual([0, 1]);
    expect(back).toEqual(given);
    expect(given[1]?.buffer).toBe(given[0]?.buffer);
  });

  test("is another's, too, where the look failed, and where the spans were not kept or are none", async () => {
    const failed = setUp("kept", () => {
      throw new Error("no look");
    });
    expect((await failed.ingest.take(request(large(1)))).status).toBe(500);
    const refused = setUp("full");
    expect((await refused.ingest.take(request(large(1)))).status).toBe(429);
    const broken = setUp("kept");
    expect((await broken.ingest.take(request(Buffer.alloc(2 ** 17, 0xff)))).status).toBe(400);
    for (const { given, back, ingest } of [failed, refused, broken]) {
      expect(back).toEqual(given);
      expect(back).toHaveLength(1);
      expect(ingest.inFlight).toEqual({ requests: 0, bytes: 0 });
    }
  });
});
