/** Characters; a longer string, or one of several lines, is a content rather than a name of something. */
const SHORT = 200;

/**
 * Arguments of a tool in the order in which they tell what it does: names, paths, commands and numbers in their own order, then
 * what is switched on, then contents and structures, at last what says nothing, like `replace_all: false`.
 */
export function tellingFirst(
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const members = Object.entries(args).map((member) => ({ member, place: placeOf(member[1]) }));
  return Object.fromEntries(members.sort((a, b) => a.place - b.place).map(({ member }) => member));
}

function placeOf(value: unknown): number {
  if (value === undefined || value === null || value === false || value === "") return 3;
  if (value === true) return 1;
  if (typeof value === "string") return value.length > SHORT || value.includes("\n") ? 2 : 0;
  if (typeof value !== "object") return 0;
  if (Object.keys(value).length === 0) return 3;
  const isOfWords = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isOfWords ? 0 : 2;
}
