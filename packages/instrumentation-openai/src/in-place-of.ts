/** Any function. */
export type Callable = (...args: never[]) => unknown;

/**
 * Gives a function the name and the length of the one in whose place it is put. There is one for each call: what is the same
 * already is not written again, which would cost more than all the rest.
 */
export function inPlaceOf<F extends Callable>(original: Callable, replacement: F): F {
  const { name, length } = original;
  if (replacement.name !== name) {
    Object.defineProperty(replacement, "name", { value: name, configurable: true });
  }
  if (replacement.length !== length) {
    Object.defineProperty(replacement, "length", { value: length, configurable: true });
  }
  return replacement;
}
