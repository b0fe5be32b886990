/** Says on the way how far an import is, where that takes long. */
export interface ImportProgress {
  /** So many bytes more are to be read. */
  expect(bytes: number): void;
  /** So many were read. */
  read(bytes: number): void;
  /** Of a long session so many parts are assembled. */
  assembled(parts: number, of: number): void;
  /** Everything is written: says what that is, where it is given, and how fast it was, where anything was said before. */
  done(what?: string): void;
}

/** Between two lines, and before the first. */
const EVERY_MS = 5_000;

/** Of less nobody asks how much it was. */
const LEAST_BYTES = 100_000;

/** @param now Monotonic milliseconds. */
export function createImportProgress(
  say: (line: string) => void,
  now: () => number = () => performance.now(),
): ImportProgress {
  const begun = now();
  let saidAt = begun;
  let expected = 0;
  let read = 0;
  let hasSaid = false;
  const rate = (): string => `${amount((read / (now() - begun)) * 1_000)} a second`;
  return {
    expect(bytes) {
      expected += bytes;
    },
    read(bytes) {
      read += bytes;
      if (now() - saidAt < EVERY_MS) return;
      saidAt = now();
      hasSaid = true;
      const percent = Math.floor((100 * read) / Math.max(expected, read));
      say(`${percent} %: ${amount(read)} of ${amount(Math.max(expected, read))}, ${rate()}`);
    },
    assembled(parts, of) {
      if (now() - saidAt < EVERY_MS) return;
      saidAt = now();
      hasSaid = true;
      say(`assembled ${Math.floor((100 * parts) / of)} % of a long session`);
    },
    done(what = "") {
      const seconds = ((now() - begun) / 1_000).toFixed(0);
      const speed = hasSaid ? ` in ${seconds} s, ${rate()}` : "";
      if (what !== "") say(`${what}${read < LEAST_BYTES ? "" : `; ${amount(read)}${speed}`}.`);
      else if (hasSaid) say(`${amount(read)}${speed}.`);
    },
  };
}

function amount(bytes: number): string {
  const megabytes = bytes / 1e6;
  return `${megabytes < 10 ? megabytes.toFixed(1) : megabytes.toFixed(0)} MB`;
}
