/**
 * Memory that goes round, for requests and what is made of them: fresh memory of some MiB costs more than what is written
 * into it, and stays until garbage is collected.
 */
export interface LentMemory {
  /** So many bytes of any content. */
  take(bytes: number): Buffer;
  /** Takes back what `take` gave, once nobody reads it any more. Anything else is let go. */
  giveBack(bytes: Buffer): void;
}

/** Less is not worth it. */
const LEAST_BYTES = 64 * 1024;

/** @param mostSpareBytes kept for those to come */
export function createLentMemory(mostSpareBytes: number): LentMemory {
  const lent = new WeakSet<ArrayBufferLike>();
  let spare: Buffer[] = [];
  let spareBytes = 0;

  /** The smallest that is large enough. */
  function spareFor(bytes: number): Buffer | undefined {
    let found: Buffer | undefined;
    for (const one of spare)
      if (one.length >= bytes && one.length < (found?.length ?? Number.POSITIVE_INFINITY))
        found = one;
    if (found === undefined) return undefined;
    spare = spare.filter((one) => one !== found);
    spareBytes -= found.length;
    return found;
  }

  return {
    take(bytes) {
      if (bytes < LEAST_BYTES) return Buffer.allocUnsafe(bytes);
      // In a few sizes, so that it fits others.
      const memory = spareFor(bytes) ?? Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(bytes)));
      lent.add(memory.buffer);
      return memory.subarray(0, bytes);
    },
    giveBack({ buffer }) {
      if (!lent.delete(buffer) || spareBytes + buffer.byteLength > mostSpareBytes) return;
      spare.push(Buffer.from(buffer));
      spareBytes += buffer.byteLength;
    },
  };
}
