/** Lets in so many bytes at once; the others wait, in the order in which they came. */
export interface ByteRoom {
  /** Resolves when there is room; whatever is larger than all of it comes in alone. */
  enter(bytes: number): Promise<void>;
  leave(bytes: number): void;
}

export function createByteRoom(most: number): ByteRoom {
  const waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  let inside = 0;

  function hasRoomFor(bytes: number): boolean {
    return inside === 0 || inside + bytes <= most;
  }

  return {
    enter(bytes) {
      if (waiting.length === 0 && hasRoomFor(bytes)) {
        inside += bytes;
        return Promise.resolve();
      }
      return new Promise((enter) => waiting.push({ bytes, enter }));
    },
    leave(bytes) {
      inside -= bytes;
      for (let [next] = waiting; next !== undefined && hasRoomFor(next.bytes); [next] = waiting) {
        waiting.shift();
        inside += next.bytes;
        next.enter();
      }
    },
  };
}
