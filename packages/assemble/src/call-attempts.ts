import { agree } from "@thoughtflow/dialects/spans";
import { ATTR_GEN_AI_RESPONSE_ID } from "@thoughtflow/semconv";
import { textAttribute } from "./span-node.ts";
import { createStandIns } from "./stand-ins.ts";
import type { StepDraft } from "./step-draft.ts";

/** The accounts that several instrumentations give of calls, one around the other, and of the attempts inside of one. */
export interface CallAttempts {
  /**
   * Takes an account of a call that stands in another, or beside it.
   *
   * @param isBeside whether it stands in none, and so is no attempt inside of one
   * @returns the account that this one is inside of: of the same attempt the one that was inmost so far, of `isAnother` attempt the call's.
   *   None where that is known already.
   */
  add(
    step: StepDraft,
    outer: StepDraft,
    isBeside: boolean,
  ): { readonly step: StepDraft; readonly isAnother: boolean } | undefined;
  /** By a call's account the first ones of each attempt inside of it but the first. */
  others(): Iterable<readonly [StepDraft, readonly StepDraft[]]>;
  isInside(step: StepDraft, outer: StepDraft): boolean;
}

/** Of the attempts inside of one call so many may be under way at once: the latest. */
const MOST_AT_ONCE = 16;

export function createAttempts(): CallAttempts {
  const related = createStandIns();
  const inmost = createStandIns();
  /** The accounts of an attempt that stand in a call, by the inmost. */
  const accounts = new Map<StepDraft, StepDraft[]>();
  const outerOf = new Map<StepDraft, StepDraft>();
  const later = new Map<StepDraft, StepDraft[]>();

  /** Attempts follow one another, have other answers, or are of one instrumentation: it tells of none twice, but in itself. */
  function isSameAttempt(step: StepDraft, last: StepDraft): boolean {
    const known = accounts.get(last) ?? [last];
    return areAtOnce(step, last) && known.every((one) => mayBeOne(one, step));
  }

  return {
    add(step, outer, isBeside) {
      if (related.of(step) === related.of(outer)) return undefined;
      related.join(step, outer, (inner) => inner);
      outerOf.set(step, outer);
      const attempts = later.get(outer) ?? [];
      const known = [outer, ...attempts.slice(-MOST_AT_ONCE)].map(inmost.of);
      const same = known.find((last) => isBeside || last === outer || isSameAttempt(step, last));
      if (same === undefined) {
        attempts.push(step);
        later.set(outer, attempts);
        return { step: outer, isAnother: true };
      }
      // Of several accounts of one attempt each is inside of the one before: one of them all has none inside.
      inmost.join(step, same, (_, around) => around);
      const all = accounts.get(same) ?? [];
      all.push(step);
      accounts.set(step, all);
      return { step: same, isAnother: false };
    },
    others: () => later,
    isInside(step, outer) {
      for (let at = outerOf.get(step); at !== undefined; at = outerOf.get(at))
        if (at === outer) return true;
      return false;
    },
  };
}

function mayBeOne({ span: { record: one } }: StepDraft, { span: { record } }: StepDraft): boolean {
  const ids = [one, record].map((each) => textAttribute(each, ATTR_GEN_AI_RESPONSE_ID));
  return one.scope.name !== record.scope.name && agree(ids[0], ids[1]);
}

function areAtOnce(one: StepDraft, other: StepDraft): boolean {
  return isBegunBy(one, other) && isBegunBy(other, one);
}

/** Whether it began before the other ended, as far as both are known. */
function isBegunBy({ started }: StepDraft, { ended }: StepDraft): boolean {
  return started === undefined || ended === undefined || started <= ended;
}
