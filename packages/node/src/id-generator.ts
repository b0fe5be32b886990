import { randomFillSync } from "node:crypto";
import type { IdGenerator } from "@opentelemetry/sdk-trace-node";

const POOL_BYTES = 4_096;
/** All zeros is no id. */
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);

/**
 * Random ids of traces and spans. The SDK takes them from `Math.random`: a program that seeds it, as an evaluation may,
 * would have the same ids in each of its processes, and one session of them all.
 */
export function createIdGenerator(): IdGenerator {
  const pool = Buffer.allocUnsafe(POOL_BYTES);
  let at = POOL_BYTES;

  function randomHex(bytes: number): string {
    if (at + bytes > POOL_BYTES) {
      randomFillSync(pool);
      at = 0;
    }
    at += bytes;
    const id = pool.toString("hex", at - bytes, at);
    return id === NO_TRACE || id === NO_SPAN ? randomHex(bytes) : id;
  }

  return { generateTraceId: () => randomHex(16), generateSpanId: () => randomHex(8) };
}
