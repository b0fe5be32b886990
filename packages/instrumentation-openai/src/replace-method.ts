/** A method of the SDK, or what stands in its place. */
export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Undoes a patch; methods that somebody else wrapped since then stay as they are, and observe nothing more. */
export type Unpatch = () => void;

/** On every function put in place of the SDK's, so that no second copy of us wraps it again. */
const ORIGINAL: unique symbol = Symbol.for("thoughtflow.original.v1");

/**
 * Puts a function in place of an object's own method, with its name, length and place among the keys.
 *
 * @param wrap is given the original, and whether the replacement is still to observe
 * @returns Undoes it; `undefined` where there is no such method. One that is replaced already stays as it is.
 */
export function replaceMethod(
  owner: object,
  name: string,
  wrap: (original: Method, isActive: () => boolean) => Method,
): Unpatch | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const original = descriptor?.value as (Method & { [ORIGINAL]?: Method }) | undefined;
  if (typeof original !== "function") return undefined;
  if (original[ORIGINAL] !== undefined) return () => {};
  let active = true;
  const wrapper = wrap(original, () => active);
  Object.defineProperties(wrapper, {
    name: { value: original.name, configurable: true },
    length: { value: original.length, configurable: true },
    [ORIGINAL]: { value: original },
  });
  Object.defineProperty(owner, name, { ...descriptor, value: wrapper });
  return () => {
    active = false;
    const now = Object.getOwnPropertyDescriptor(owner, name);
    if (now?.value === wrapper) Object.defineProperty(owner, name, { ...now, value: original });
  };
}
