/** Whether two accounts of one thing agree on a value, as far as both tell it. */
export function agree(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined || one === other;
}
