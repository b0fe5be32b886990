import { letGo } from "./let-go.ts";
import { MOST_BYTES_A_CHARACTER } from "./utf8.ts";

/** Frames one behind the other in one stretch of memory, so that nothing is copied together before it is written. */
export interface FrameBuffer {
  /** Bytes of all frames. */
  readonly length: number;
  /** So many bytes behind the others, of any content. */
  skip(bytes: number): void;
  /** A text's UTF-8 behind the others. */
  write(text: string): void;
  /** They stand at its beginning; good until more is added. */
  readonly memory: Buffer;
  /** Takes back all behind the first so many bytes. */
  cut(length: number): void;
  /** Hands the frames over, and is empty then. */
  take(): Buffer;
  /** Takes memory back that `take` gave and that nobody reads any more. */
  giveBack(frames: Buffer): void;
}

const FIRST_BYTES = 4 * 1024;
/** What is larger than a usual write is not kept. */
const LARGEST_SPARE = 1024 * 1024;
/** Of all that is kept: as much as waits for a usual disk. */
const MOST_SPARE_BYTES = 8 * 1024 * 1024;

/** An empty one. Its memory goes round as long as it is given back: encoding makes no garbage. */
export function createFrameBuffer(): FrameBuffer {
  let memory: Buffer = Buffer.alloc(0);
  let length = 0;
  /** The one given back last is the first to be used again. */
  const spares: Buffer[] = [];
  let spareBytes = 0;
  const lent = new WeakSet<ArrayBufferLike>();

  function makeRoom(bytes: number): void {
    const needed = length + bytes;
    if (needed <= memory.length) return;
    const before = memory;
    // Behind a text of megabytes its record follows at least: to have no room for that would take all of it twice.
    const further = needed > LARGEST_SPARE ? LARGEST_SPARE : 0;
    const wanted = Math.max(needed + further, before.length * 2, FIRST_BYTES);
    // Not of the pool that small buffers share.
    memory = spareFor(needed) ?? Buffer.allocUnsafeSlow(wanted);
    before.copy(memory, 0, 0, length);
  }

  function spareFor(needed: number): Buffer | undefined {
    const at = spares.findLastIndex(({ length: size }) => size >= needed);
    if (at === -1) return undefined;
    const [spare] = spares.splice(at, 1);
    spareBytes -= spare?.length ?? 0;
    return spare;
  }

  return {
    get length() {
      return length;
    },
    get memory() {
      return memory;
    },
    skip(bytes) {
      makeRoom(bytes);
      length += bytes;
    },
    write(text) {
      // To count a text's bytes takes longer than to write them.
      const mayNotFit = length + text.length * MOST_BYTES_A_CHARACTER > memory.length;
      if (mayNotFit) makeRoom(Buffer.byteLength(text));
      length += memory.write(text, length);
    },
    cut(kept) {
      length = kept;
    },
    take() {
      const frames = memory.subarray(0, length);
      const isMostlyEmpty = length * 2 < memory.length;
      length = 0;
      // What waits for a disk must not hold more memory than it has bytes.
      if (isMostlyEmpty) return Buffer.from(frames);
      lent.add(frames.buffer);
      memory = Buffer.alloc(0);
      return frames;
    },
    giveBack({ buffer }) {
      const size = buffer.byteLength;
      if (!lent.delete(buffer)) return;
      const bytes = Buffer.from(buffer);
      if (size > LARGEST_SPARE || spareBytes + size > MOST_SPARE_BYTES) return letGo(bytes);
      spareBytes += size;
      spares.push(bytes);
    },
  };
}
