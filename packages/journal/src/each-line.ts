import { constants } from "node:buffer";
import type { FileSystem } from "./file-system.ts";

/** What hears of the lines of a file. */
export interface LineReader {
  /**
   * Called with a line, from `start` to `end` without its line feed, in bytes that are good until it returns. True keeps the line in
   * memory together with the next one; kept lines begin at `begin`. `offset` is the place in the file of the first of `bytes`.
   */
  onLine(bytes: Buffer, start: number, end: number, begin: number, offset: number): boolean;
  /** Called with all bytes of the file, in order. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

const READ_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/** Reads a file from its beginning, line by line; what is in memory is what is kept, and a MiB. Throws what the file system throws, and `RangeError` for a line that is no text. */
export function eachLine(fd: number, fs: FileSystem, { onLine, onBytes }: LineReader): void {
  let bytes = Buffer.allocUnsafeSlow(2 * READ_BYTES);
  /** Where in the file the bytes begin, how many there are, what is kept, and where the line that is looked for begins. */
  let [offset, length, begin, start] = [0, 0, 0, 0];

  /** False at the end of the file. */
  function more(): boolean {
    bytes.copyWithin(0, begin, length);
    offset += begin;
    length -= begin;
    start -= begin;
    begin = 0;
    if (length > constants.MAX_STRING_LENGTH) throw new RangeError("a line is too long");
    if (length + READ_BYTES > bytes.length) {
      const wider = Buffer.allocUnsafeSlow(2 * bytes.length);
      bytes.copy(wider, 0, 0, length);
      bytes = wider;
    }
    const read = fs.readSync(fd, bytes, length, READ_BYTES, offset + length);
    onBytes?.(bytes.subarray(length, length + read));
    length += read;
    return read > 0;
  }

  for (let searched = 0; ; ) {
    const end = bytes.subarray(0, length).indexOf(LINE_FEED, searched);
    if (end >= 0) {
      const isKept = onLine(bytes, start, end, begin, offset);
      start = end + 1;
      searched = start;
      if (!isKept) begin = start;
      continue;
    }
    const known = offset + length;
    if (!more()) break;
    searched = known - offset;
  }
  if (start < length) onLine(bytes, start, length, begin, offset);
}
