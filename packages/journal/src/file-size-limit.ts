import { readFileSync } from "node:fs";

let limit: number | undefined;

/**
 * How many bytes a file of this process may have (`ulimit -f`); read once. To write one byte more would end the process
 * by SIGXFSZ.
 */
function fileSizeLimit(): number {
  limit ??= limitIn(limits());
  return limit;
}

/** Throws `EFBIG`, as the system would if it did not send a signal. */
export function checkFileSize(bytes: number, most: number = fileSizeLimit()): void {
  if (bytes <= most) return;
  throw Object.assign(new Error(`${bytes} bytes are more than a file may have`), { code: "EFBIG" });
}

/** The limit that `/proc/self/limits` tells; where that says nothing there is none. */
export function limitIn(limits: string): number {
  const bytes = /^Max file size +(\d+)/m.exec(limits)?.[1];
  return bytes === undefined ? Number.POSITIVE_INFINITY : Number(bytes);
}

function limits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
