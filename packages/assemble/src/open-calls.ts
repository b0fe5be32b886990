import { type CallMoment, isSameMoment } from "./same-moment.ts";
import type { StepDraft } from "./step-draft.ts";

/** What one instrumentation tells of a call. */
export interface WatchedCall extends CallMoment {
  readonly step: StepDraft;
  readonly scope: string;
  /** What was asked and answered; absent where it doesn't tell. */
  readonly words: string | undefined;
  /** Whether it knows the answer's id. */
  readonly hasId: boolean;
}

/** Model calls in one span with the same tokens that are under way, as they begin. */
export interface OpenCalls {
  /** The call under way that this is another account of; none where it is a call of its own, which is under way from now on. */
  tell(call: WatchedCall): StepDraft | undefined;
}

/** Calls under way of which the same instrumentations have told, in that order: who has told of one has told of all of them. */
interface AlikeCalls {
  readonly scopes: ReadonlySet<string>;
  readonly hasId: boolean;
  readonly calls: Set<WatchedCall>;
}

/** At so many a call is looked for that is none of them: one that is stands near the front. */
const MOST_LOOKS = 512;

/** @param scopes how many instrumentations tell of these calls: what all have told of is done with */
export function createOpenCalls(scopes: number): OpenCalls {
  const byWords = new Map<string | undefined, Map<string, AlikeCalls>>();

  /** Where the same call may be: what was said is the same, or one of both doesn't tell. */
  function* placesOf({ words }: WatchedCall): Iterable<AlikeCalls> {
    for (const known of words === undefined ? byWords.keys() : [words, undefined]) {
      const places = byWords.get(known) ?? NONE;
      for (const [key, alike] of places) {
        yield alike;
        if (alike.calls.size === 0) places.delete(key);
      }
      if (places.size === 0) byWords.delete(known);
    }
  }

  function open(call: WatchedCall, told: ReadonlySet<string>, hasId: boolean): void {
    if (told.size === scopes) return;
    const places = byWords.get(call.words) ?? new Map<string, AlikeCalls>();
    byWords.set(call.words, places);
    const key = JSON.stringify([hasId, ...[...told].sort()]);
    const alike = places.get(key) ?? { scopes: told, hasId, calls: new Set() };
    places.set(key, alike);
    alike.calls.add(call);
  }

  function find(call: WatchedCall): readonly [WatchedCall, AlikeCalls] | undefined {
    let looks = 0;
    for (const alike of placesOf(call)) {
      if (++looks > MOST_LOOKS) return undefined;
      // Of calls with other ids than this one's none is this one.
      if (alike.scopes.has(call.scope) || (alike.hasId && call.hasId)) continue;
      for (const other of alike.calls) {
        if (call.start > other.end) alike.calls.delete(other);
        else if (isSame(call, other)) return [other, alike];
        else if (++looks > MOST_LOOKS) return undefined;
      }
    }
    return undefined;
  }

  return {
    tell(call) {
      const found = find(call);
      if (found === undefined) {
        open(call, new Set([call.scope]), call.hasId);
        return undefined;
      }
      const [other, { scopes: told, hasId, calls }] = found;
      calls.delete(other);
      open(other, new Set([...told, call.scope]), hasId || call.hasId);
      return other.step;
    },
  };
}

const NONE: Map<string, AlikeCalls> = new Map();

function isSame(one: WatchedCall, other: WatchedCall): boolean {
  return one.words === undefined || other.words === undefined
    ? isSameMoment(one, other)
    : one.words === other.words;
}
