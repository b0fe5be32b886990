import { createIdTable } from "@thoughtflow/assemble";

/**
 * Many SHA-256 in hex, each with whether it was told again, in some 20 bytes of memory each. By their first 64 bits: of a million two
 * are alike once in thirty million times.
 */
export interface DigestTable {
  readonly count: number;
  /** `undefined` of one that is not there. */
  isTold(digest: string): boolean | undefined;
  set(digest: string, isTold: boolean): void;
}

const DIGITS = 16;
const [UNTOLD, TOLD] = [0, 1];

export function createDigestTable(): DigestTable {
  const table = createIdTable();
  let count = 0;
  return {
    get count() {
      return count;
    },
    isTold(digest) {
      const known = table.get(digest.slice(0, DIGITS));
      return known === undefined ? undefined : known === TOLD;
    },
    set(digest, isTold) {
      const before = table.set(digest.slice(0, DIGITS), isTold ? TOLD : UNTOLD);
      if (before === undefined) count++;
    },
  };
}
