/** Whether a body is gone, of which it was said so often that it is, or, every second time, that it is there again. */
export function isErasedAt(turn: number): boolean {
  return turn % 2 === 1;
}
