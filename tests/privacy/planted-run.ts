import { answers } from "./answers.mjs";
import { PLACES, plant } from "./plants.mjs";
import { type Sinks, sinksOf } from "./sinks.ts";

export const places: readonly string[] = Object.keys(PLACES);
/** The places whose text may stand in one of these. */
export const reaching = (...ends: readonly string[]): string[] =>
  Object.entries(PLACES).flatMap(([place, end]) => (ends.includes(end) ? [place] : []));

export type Kind = "keys" | "words";

/** What an app that was given a secret, or words, at each place leaves behind. */
export function runWith(kind: Kind, environment: Readonly<Record<string, string>>): Promise<Sinks> {
  process.env["PLANTS"] = kind;
  return sinksOf(answers(), { PLANTS: kind, ...environment });
}

/** The places whose needle is in a sink. */
export const foundIn = (kind: Kind, sink: string): string[] =>
  places.filter((place) => sink.includes(plant(place, kind).needle));
