import { createRandom } from "./random.ts";

/**
 * A streamed body in the pieces in which it goes over the wire: one for each event, or, with a seed, cut at
 * random byte offsets, also inside a multi-byte character.
 */
export function bodyPieces(body: string, seed?: number): readonly Buffer[] {
  const bytes = Buffer.from(body);
  const cuts = seed === undefined ? eventEnds(bytes) : randomCuts(bytes.length, seed);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (to > from) pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
}

function eventEnds(bytes: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf("\n\n"); at !== -1; at = bytes.indexOf("\n\n", at + 2)) {
    ends.push(at + 2);
  }
  return ends;
}

function randomCuts(length: number, seed: number): readonly number[] {
  const random = createRandom(seed);
  const cuts: number[] = [];
  for (let at = 0; at < length; at += 1 + Math.floor(random() * 200)) cuts.push(at);
  return cuts;
}
