/**
 * One value for the whole process, also when two copies of this package are loaded: the first copy that asks
 * makes it. `key` carries the version of the value's shape, such as `content.v1`.
 */
export function processState<T extends object>(key: string, make: () => T): T {
  const holder = globalThis as { [key: symbol]: unknown };
  const symbol = Symbol.for(`thoughtflow.${key}`);
  const present = holder[symbol] as T | undefined;
  if (present !== undefined) return present;
  const made = make();
  Object.defineProperty(holder, symbol, { value: made });
  return made;
}
