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
