import { guarded } from "./degradation.ts";
import { soon } from "./soon.ts";

interface Moment {
  readonly call: never;
  readonly work: (call: never) => void;
}

let moments: Moment[] = [];
let isCatchingUp = false;

/**
 * Does a piece of work on a call in the next macrotask, off the caller's path. All such work is done in the order in
 * which the program made its calls and got its answers, however late: what one call continues, an earlier one told.
 */
export function inOrder<Call>(call: Call, work: (call: Call) => void): void {
  if (moments.push({ call: call as never, work }) === 1) soon(catchUp);
}

/** Does at once what is still to be done. */
export function catchUp(): void {
  if (isCatchingUp) return;
  isCatchingUp = true;
  while (moments.length > 0) {
    const due = moments;
    moments = [];
    for (const { call, work } of due) guarded("telling of a call", () => work(call));
  }
  isCatchingUp = false;
}
