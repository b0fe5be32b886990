/**
 * The id under which a thought is recorded: the given one, else `thought-<number>`. Thoughts are never
 * overwritten: a used id becomes `<id>~2`, `<id>~3` and so on.
 */
export function thoughtIdFrom(
  given: string | undefined,
  thoughtNumber: number,
  isUsed: (id: string) => boolean,
): string {
  const id = given === undefined || given === "" ? `thought-${thoughtNumber}` : given;
  if (!isUsed(id)) return id;
  let copy = 2;
  while (isUsed(`${id}~${copy}`)) copy++;
  return `${id}~${copy}`;
}
