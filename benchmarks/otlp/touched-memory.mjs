import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Has the system own the memory that a measured run is about to use, as a machine that has been up for a while does: the host of a virtual
 * machine may hand memory out when it is first touched and take it back soon after, which makes a write of a large span ten times as
 * dear for whoever comes first (18.3 µs, and 1.8 in the next run).
 */
export function touchMemory(mebibytes = 1_536) {
  const directory = mkdtempSync(join(tmpdir(), "thoughtflow-touched-"));
  try {
    const file = openSync(join(directory, "pages"), "w");
    const piece = Buffer.alloc(2 ** 24, 1);
    for (let written = 0; written < mebibytes * 2 ** 20; written += piece.length)
      writeSync(file, piece);
    closeSync(file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
