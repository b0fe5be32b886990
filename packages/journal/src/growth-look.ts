import type { FileSystem } from "./file-system.ts";
import { type SegmentPath, segmentSizeOf } from "./journal-folder.ts";
import { segmentOf, type Writer } from "./segments.ts";

export interface GrowthLookOptions {
  /** Each writer's segments, oldest first. */
  readonly list: () => readonly SegmentPath[];
  readonly writerOf: (name: string) => Writer;
  readonly fs: FileSystem;
  /** A look is never put off when this has changed since the last. Default: it never does. */
  readonly mustLook?: (() => number) | undefined;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
}

/** Of more journals than these a look at their sizes takes longer: then no more than a tenth of the time goes into looks. */
const MANY_SEGMENTS = 256;
const LONG_LOOK_MS = 10;
const PAUSE_OF_LOOKS = 10;

/** A look at the sizes of all segments: answers the writers, by name, of which there is something to read. */
export function createGrowthLook({
  list,
  writerOf,
  fs,
  mustLook = () => 0,
  now = () => performance.now(),
}: GrowthLookOptions): () => ReadonlyMap<string, Writer> {
  let lookAgainAt = Number.NEGATIVE_INFINITY;
  let asked = Number.NaN;
  return () => {
    const begun = now();
    const grown = new Map<string, Writer>();
    const reason = mustLook();
    if (begun < lookAgainAt && reason === asked) return grown;
    asked = reason;
    const segments = list();
    for (const { path, writer: name } of segments) {
      const writer = writerOf(name);
      const segment = segmentOf(writer, path);
      const size = segmentSizeOf(path, fs);
      segment.hasGrown ||= size > segment.size;
      segment.size = Math.max(segment.size, size);
      if (segment.hasGrown) grown.set(name, writer);
    }
    const took = now() - begun;
    // A machine that stands still for a moment is no reason.
    const isLong = segments.length > MANY_SEGMENTS && took > LONG_LOOK_MS;
    lookAgainAt = isLong ? begun + took * PAUSE_OF_LOOKS : begun;
    return grown;
  };
}
