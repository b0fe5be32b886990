/** A request has more spans than are let in. */
export class TooManySpansError extends Error {
  override readonly name = "TooManySpansError";

  /** @param most that are let in */
  constructor(most: number) {
    super(`A request may have ${most} spans.`);
  }
}
