/**
 * An object as it is, but for some of its fields: every other read, by key or by enumeration, is a read of the object
 * itself, accessors and private fields included. The object is not touched and may be frozen.
 */
export function overlay<T extends object>(
  original: T,
  changes: Readonly<Record<string, unknown>>,
): T {
  const sourceOf = (key: string | symbol): object =>
    Object.hasOwn(changes, key) ? changes : original;
  return new Proxy<T>(Object.create(Object.getPrototypeOf(original)), {
    get(_, key) {
      const source = sourceOf(key);
      return Reflect.get(source, key, source);
    },
    has: (_, key) => Reflect.has(sourceOf(key), key),
    ownKeys: () => Reflect.ownKeys(original),
    getOwnPropertyDescriptor(_, key) {
      const descriptor = Reflect.getOwnPropertyDescriptor(original, key);
      if (descriptor === undefined) return undefined;
      const { enumerable = false } = descriptor;
      const source = sourceOf(key);
      return { value: Reflect.get(source, key, source), enumerable, configurable: true };
    },
  });
}
