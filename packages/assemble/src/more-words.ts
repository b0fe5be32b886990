/**
 * So long a long table is made at once: 40 MiB. What was never touched takes no memory, and blocks of more than 32 MiB the C library
 * gives back as they are freed; of smaller ones it keeps what lies between those that live.
 */
export const LONG_WORDS: number = 10 * 2 ** 20;
/** 256 KiB: one that has to hold more is a long one. */
const MOST_SHORT_WORDS = 64 * 2 ** 10;

/** How many words a table has that has to hold so many: a long one never stands in memory twice before it is full. */
export function roomFor(words: number): number {
  if (words <= MOST_SHORT_WORDS) return Math.ceil(words * 1.5);
  return LONG_WORDS * 2 ** Math.ceil(Math.log2(Math.max(1, words / LONG_WORDS)));
}

/** The same words, and room behind them. */
export function moreWords(words: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(roomFor(least));
  more.set(words);
  return more;
}
