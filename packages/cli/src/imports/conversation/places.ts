import { createRecordRows, type RecordRows } from "../record-rows.ts";
import { createPackedPlaces } from "./packed-places.ts";
import { NO_TEXTS, type TextsSoFar, toTexts, withTexts } from "./texts-so-far.ts";

/** Where a conversation stands: what the next call of the model goes on from. */
export interface Place {
  /** The span id of the call before, 16 hexadecimal digits; absent at the beginning. */
  readonly after: string | undefined;
  /** What was said and given since: messages as JSON texts. */
  readonly pending: TextsSoFar;
  /** The instructions among all messages up to here: they stand in what every later call is given. Absent: none. */
  readonly told?: TextsSoFar | undefined;
  /** How many calls and prompts there were: a place that is behind another one is a fork. */
  readonly turn: number;
  /** How long the last of what was said is that waits, in characters. Default 0. */
  readonly characters?: number;
}

export const START: Place = { after: undefined, pending: NO_TEXTS, turn: 0 };

/** What a call is given that goes on from a place, as JSON texts; so many of them, from the first, are instructions that came before. */
export interface InputAtPlace {
  readonly input: readonly string[];
  readonly retold: number;
}

/** What the next call is given: of what came before that, the instructions again. */
export function inputOf({ pending, told = NO_TEXTS }: Place): InputAtPlace {
  const said = toTexts(pending);
  if (told.count === 0) return { input: said, retold: 0 };
  const news = new Set(said);
  const retold = [...new Set(toTexts(told))].filter((text) => !news.has(text));
  return { input: [...retold, ...said], retold: retold.length };
}

/** The places after each record, by its uuid; what was said there is remembered of the latest only. */
export interface Places {
  set(uuid: string, place: Place): void;
  get(uuid: string): Place | undefined;
  /**
   * Where a record stands that follows another one, or none: behind the end of its conversation, unless somebody took that up again.
   *
   * @param uuid Empty: it begins anew.
   */
  following(uuid: string, end: Place, lost: () => void): Place;
  /** Nothing will be taken up again. */
  clear(): void;
}

/** Right after a call: nothing was said since. */
export function afterCall(spanId: string, { turn, told }: Pick<Place, "turn" | "told">): Place {
  return { after: spanId, pending: NO_TEXTS, told, turn };
}

/** The same, without what was said there. */
export function withoutPending(place: Place): Place {
  return { ...place, pending: NO_TEXTS, characters: 0 };
}

/** The same, where more was said. */
export function withPending(place: Place, messages: readonly string[]): Place {
  const characters = messages.reduce((sum, { length }) => sum + length, 0);
  return { ...place, pending: withTexts(place.pending, messages), characters };
}

/** The same, where the model was instructed: later calls are given that, too. */
export function withInstruction(place: Place, text: string): Place {
  return withPending({ ...place, told: withTexts(place.told ?? NO_TEXTS, [text]) }, [text]);
}

/** So many records back a conversation may be taken up again within what was said there; fewer, but some, where results are very long. */
const REMEMBERED = 2_000;
const MOST_CHARACTERS = 16 * 2 ** 20;
const LEAST_REMEMBERED = 4;

/** @param rows Numbers for the records, which other tables of the same records may share. */
export function createPlaces(rows: RecordRows = createRecordRows()): Places {
  /** The one set longest ago first. */
  const latest = new Map<string, Place>();
  const earlier = createPackedPlaces();
  let characters = 0;

  function take(uuid: string, place: Place | undefined): void {
    latest.delete(uuid);
    characters -= place?.characters ?? 0;
  }

  function isFull(): boolean {
    if (latest.size <= LEAST_REMEMBERED) return false;
    return latest.size > REMEMBERED || characters > MOST_CHARACTERS;
  }

  function get(uuid: string): Place | undefined {
    const place = latest.get(uuid);
    if (place !== undefined) return place;
    const row = rows.get(uuid);
    const packed = row === undefined ? undefined : earlier.get(row);
    return packed && { ...packed, pending: NO_TEXTS };
  }

  return {
    get,
    following(uuid, end, lost) {
      if (uuid === "") return { ...START, turn: end.turn };
      const there = get(uuid);
      if (there === undefined) lost();
      return there !== undefined && there.turn < end.turn ? there : end;
    },
    clear() {
      latest.clear();
      characters = 0;
      earlier.clear();
    },
    set(uuid, place) {
      take(uuid, latest.get(uuid));
      latest.set(uuid, place);
      characters += place.characters ?? 0;
      for (const [oldest, before] of latest) {
        if (!isFull()) return;
        take(oldest, before);
        earlier.set(rows.of(oldest), before);
      }
    },
  };
}
