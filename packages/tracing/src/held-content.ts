// Not the global, which a test of the application may have replaced.
import { setImmediate } from "node:timers";
import { attempt } from "./attempt.ts";
import type { ModelCallContent } from "./content.ts";
import { contentAttributeNames } from "./content-attributes.ts";
import { type HeldPiece, heldParameters } from "./held-parameters.ts";
import { forgetInputItems, inputItemsOf } from "./input-items.ts";
import { limitTexts, MOST_KEPT_BYTES } from "./kept-texts.ts";
import { forgetOutputMessages } from "./materialise.ts";
import { BYTES_OF_CHARACTER, bytesOf } from "./memory-of.ts";
import { processState } from "./process-state.ts";
import { forgetPrompt } from "./prompt-makeup.ts";

/** A call that has ended, whose span may wait in somebody's queue. */
interface Held {
  /** Weak, and nothing else here holds any of it: it goes with its span. */
  readonly content: WeakRef<ModelCallContent>;
  /** Of parameters and answer; the messages of the input are counted besides. */
  readonly pieces: readonly HeldPiece[];
}

/** What spans may hold of the program's objects in all; what is left of `MOST_KEPT_BYTES` is for texts. */
export const MOST_HELD_BYTES: number = 0.75 * MOST_KEPT_BYTES;
/** A review leaves so much, that the next is not due at once. */
const LEFT_BY_REVIEW = 0.75 * MOST_HELD_BYTES;
/** Calls that hold less are few bytes in any queue that is bounded in spans. */
const LITTLE = 8 * 1024;

/** So many calls are not looked through for those that are gone. */
const FEW_CALLS = 4_096;

const state = processState("held-content.v1", () => ({
  /** The oldest first. */
  calls: [] as Held[],
  /** What they hold at most, each thing counted once; those whose spans are gone count until a review. */
  bytes: 0,
  /** The number of the present account, in which each thing is counted once. */
  account: 1,
  reviewAt: FEW_CALLS,
  isDue: false,
  writers: new Set<() => void>(),
}));

/**
 * Counts what a call holds whose span has ended. When all together hold too much, the oldest are let go: a note stands
 * for their content, wherever their spans wait.
 *
 * @param beforeLettingGo makes what must be told of the content all the same
 */
export function noteHeld(content: ModelCallContent, beforeLettingGo: () => void): void {
  const answer = { bytes: bytesOf(content.response), account: 0 };
  const pieces = [...heldParameters(content.request), answer];
  const input = inputItemsOf(content);
  state.bytes += countedAnew(input) + countedAnew(pieces);
  if (bytesIn(input) + bytesIn(pieces) < LITTLE) return;
  content.beforeLettingGo = beforeLettingGo;
  state.calls.push({ content: new WeakRef(content), pieces });
  limitTexts(MOST_KEPT_BYTES - state.bytes);
  const isMuch = state.bytes > MOST_HELD_BYTES || state.calls.length >= state.reviewAt;
  if (!isMuch || state.isDue) return;
  state.isDue = true;
  // Whoever reads a span right after its end has done so by then.
  setImmediate(() => setImmediate(review));
}

/**
 * Has those who hold spans write them out before any content is let go: what is bytes by then is lost to nobody.
 *
 * @returns takes that back
 */
export function beforeContentIsLetGo(write: () => void): () => void {
  state.writers.add(write);
  return () => state.writers.delete(write);
}

/** Counts anew what is held by spans that are still there; what is more than may be held goes, the oldest first. */
function review(): void {
  state.isDue = false;
  if (state.bytes > MOST_HELD_BYTES) for (const write of state.writers) attempt(write);
  const { calls } = state;
  state.calls = [];
  state.bytes = 0;
  state.account += 1;
  let isFull = false;
  for (const held of calls.toReversed()) {
    const content = held.content.deref();
    if (content === undefined) continue;
    const bytes = state.bytes + countedAnew(inputItemsOf(content)) + countedAnew(held.pieces);
    isFull ||= bytes > LEFT_BY_REVIEW;
    if (isFull) {
      letGo(content, held.pieces);
      continue;
    }
    state.bytes = bytes;
    state.calls.push(held);
  }
  state.calls.reverse();
  state.reviewAt = Math.max(FEW_CALLS, 2 * state.calls.length);
  limitTexts(MOST_KEPT_BYTES - state.bytes);
}

/** Bytes of those that the present account has not. */
function countedAnew(pieces: readonly HeldPiece[]): number {
  let bytes = 0;
  for (const piece of pieces) {
    if (piece.account === state.account) continue;
    piece.account = state.account;
    bytes += piece.bytes;
  }
  return bytes;
}

function bytesIn(pieces: readonly HeldPiece[]): number {
  let bytes = 0;
  for (const piece of pieces) bytes += piece.bytes;
  return bytes;
}

function letGo(content: ModelCallContent, pieces: readonly HeldPiece[]): void {
  attempt(() => content.beforeLettingGo?.());
  const names = attempt(() => contentAttributeNames(content)) ?? [];
  const bytes = bytesIn(inputItemsOf(content)) + bytesIn(pieces);
  content.letGo = { names, characters: Math.round(bytes / BYTES_OF_CHARACTER) };
  content.request = undefined;
  content.response = undefined;
  forgetInputItems(content);
  forgetOutputMessages(content);
  forgetPrompt(content);
}
