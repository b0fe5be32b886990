import type { FileSystem } from "./file-system.ts";
import { type SegmentPath, segmentSizeOf } from "./journal-folder.ts";
import { segmentOf, type Writer } from "./segments.ts";

export interface GrowthLookOptions {
  /** Each writer's segments, oldest first. */
  readonly list: () => readonly SegmentPath[];
  readonly writerOf: (name: string) => Writer;
  readonly fs: FileSystem;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
}

/** Of thousands of journals a look at their sizes takes longer: then no more than a tenth of the time goes into looks. */
const LONG_LOOK_MS = 10;
const PAUSE_OF_LOOKS = 10;

/** A look at the sizes of all segments: answers the writers, by name, of which there is something to read. */
export function createGrowthLook({
  list,
  writerOf,
  fs,
  now = () => performance.now(),
}: GrowthLookOptions): () => ReadonlyMap<string, Writer> {
  let lookAgainAt = Number.NEGATIVE_INFINITY;
  return () => {
    const begun = now();
    const grown = new Map<string, Writer>();
    if (begun < lookAgainAt) return grown;
    for (const { path, writer: name } of list()) {
      const writer = writerOf(name);
      const segment = segmentOf(writer, path);
      const size = segmentSizeOf(path, fs);
      segment.hasGrown ||= size > segment.size;
      segment.size = Math.max(segment.size, size);
      if (segment.hasGrown) grown.set(name, writer);
    }
    const took = now() - begun;
    if (took > LONG_LOOK_MS) lookAgainAt = begun + took * PAUSE_OF_LOOKS;
    return grown;
  };
}
