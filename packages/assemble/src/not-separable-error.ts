/** A stretch of a session depends on more of the others than it is given: the session has to be assembled in one piece. */
export class NotSeparableError extends Error {
  override readonly name = "NotSeparableError";
}
