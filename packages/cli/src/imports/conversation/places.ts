import { createRecordMap, type RecordMap } from "../record-map.ts";

/** Where a conversation stands: what the next call of the model goes on from. */
export interface Place {
  /** The span id of the call before; absent at the beginning. */
  readonly after: string | undefined;
  /** What was said and given since: messages as JSON texts. */
  readonly pending: readonly string[];
  /** How many calls and prompts there were: a place that is behind another one is a fork. */
  readonly turn: number;
}

const NOTHING: readonly string[] = [];

export const START: Place = { after: undefined, pending: NOTHING, turn: 0 };

/** What a conversation took over from another session: the next call is given all of it. */
export interface Inherited {
  /** @param message As JSON text. */
  add(message: string): void;
  /** Puts another message in the place of the last one. */
  replaceLast(message: string): void;
  /** After what was added so far: of a thousand places none copies the messages before somebody asks for them. */
  place(turn: number): Place;
}

export function createInherited(): Inherited {
  const messages: string[] = [];
  return {
    add: (message) => void messages.push(message),
    replaceLast: (message) => void messages.splice(-1, 1, message),
    place(turn) {
      const count = messages.length;
      return {
        after: undefined,
        turn,
        get pending() {
          return messages.slice(0, count);
        },
      };
    },
  };
}

/** The places after each record, by its uuid; what was said there is remembered of the latest only. */
export interface Places {
  set(uuid: string, place: Place): void;
  get(uuid: string): Place | undefined;
  /** Nothing will be taken up again. */
  clear(): void;
}

/** The same, without what was said there. */
export function withoutPending(place: Place): Place {
  return { ...place, pending: NOTHING };
}

/** So many records back a conversation may be taken up again within what was said there. */
const REMEMBERED = 2_000;

/** @param places Where they are kept. */
export function createPlaces(places: RecordMap<Place> = createRecordMap()): Places {
  let trimmed: Place = START;
  const latest: string[] = [];
  let oldest = 0;
  return {
    get: (uuid) => places.get(uuid),
    clear() {
      places.clear();
      latest.length = 0;
      oldest = 0;
    },
    set(uuid, place) {
      places.set(uuid, place);
      latest.push(uuid);
      if (latest.length - oldest <= REMEMBERED) return;
      const old = latest[oldest++] as string;
      const there = places.get(old);
      if (there !== undefined && there.pending.length > 0) {
        // Records in a row mostly stand at one place.
        if (there.after !== trimmed.after || there.turn !== trimmed.turn)
          trimmed = withoutPending(there);
        places.set(old, trimmed);
      }
      if (oldest >= REMEMBERED) {
        latest.splice(0, oldest);
        oldest = 0;
      }
    },
  };
}
