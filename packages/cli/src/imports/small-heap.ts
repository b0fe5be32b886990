import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { collectGarbage } from "../kept-pages.ts";

/** A heap of less may double until it is looked through again, or grow by half where there is little room; a larger one grows by a fifth. */
const SMALL_HEAP_BYTES = 64 * 2 ** 20;
const GROWTH_WHEN_SMALL = 100;
const GROWTH_WITHOUT_ROOM = 50;
const GROWTH_WHEN_LARGE = 20;

/**
 * So much of what lived a heap may be: without incremental marking V8 looks at its limit only where something is put straight into the old
 * generation, and not where the young one's survivors come in.
 */
const GROWTH_UNSEEN = 1.4;

/**
 * Has V8 collect garbage sooner, for work that goes through more than fits into memory: it would rather take a few
 * hundred megabytes than the time.
 *
 * @param bytes from which on the process has little room, what is outside of the heap included: tables may be most of it
 * @param held bytes that it holds
 * @returns what to call as the heap grows
 */
export function keepHeapSmall(
  bytes: number,
  held: () => number = process.memoryUsage.rss,
): () => void {
  let lived = SMALL_HEAP_BYTES;
  return () => {
    const hasRoom = held() < bytes;
    let used = getHeapStatistics().used_heap_size;
    if (used > GROWTH_UNSEEN * Math.max(lived, hasRoom ? SMALL_HEAP_BYTES : 0)) {
      collectGarbage();
      used = getHeapStatistics().used_heap_size;
      lived = used;
    }
    setFlagsFromString(`--heap-growing-percent=${growthOf(used, hasRoom)}`);
  };
}

/** By percents of what is alive, where V8 takes up to 300. */
function growthOf(used: number, hasRoom: boolean): number {
  if (used >= SMALL_HEAP_BYTES) return GROWTH_WHEN_LARGE;
  return hasRoom ? GROWTH_WHEN_SMALL : GROWTH_WITHOUT_ROOM;
}

/** Has V8 spend its time on the work itself, where nobody waits for an answer and much of the code runs for seconds only. */
export function spareProcessor(): void {
  // The young generation stays as large as it is by now, some 4 MB instead of 16 and more.
  setFlagsFromString("--semi-space-growth-factor=1");
  // What is marked while it changes is marked twice, and what dies meanwhile stays.
  setFlagsFromString("--no-incremental-marking");
  // What reads is idle while a session is assembled, and the other way round: it would be compiled again each time.
  setFlagsFromString("--no-flush-bytecode");
  // The slowest compiler only for what is called most. A V8 that does not know a flag complains on stderr: Node 20's.
  if (major(process.versions.node) >= 22) setFlagsFromString("--efficiency-mode");
}

function major(version: string): number {
  return Number.parseInt(version, 10);
}
