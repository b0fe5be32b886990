/** A method of the SDK, or what stands in its place. */
export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Undoes a patch; methods that somebody else wrapped since then stay as they are, and observe nothing more. */
export type Unpatch = () => void;

/** The functions put in place of others by any copy of us, so that no second one replaces them again. */
const REPLACEMENTS: unique symbol = Symbol.for("thoughtflow.replacements.v1");

/**
 * Puts a function in place of an object's own method, with its place among the keys, its name, length and class, and
 * whatever else hangs on it: a mock keeps its calls there.
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
  const original = descriptor?.value as Method | undefined;
  if (typeof original !== "function") return undefined;
  if (replacements().has(original)) return () => {};
  let active = true;
  const observed = wrap(original, () => active);
  const holder: { method: Method } = {
    // Not a function, which could be called with `new`.
    method(...args) {
      return observed.apply(this, args);
    },
  };
  const wrapper = holder.method;
  Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(original) as object | null);
  Object.defineProperty(owner, name, { ...descriptor, value: wrapper });
  replacements().add(wrapper);
  return () => {
    active = false;
    const now = Object.getOwnPropertyDescriptor(owner, name);
    // Frozen in the meantime, it stays, and observes nothing more.
    if (now?.value === wrapper) Reflect.defineProperty(owner, name, { ...now, value: original });
  };
}

function replacements(): WeakSet<Method> {
  const holder = globalThis as { [REPLACEMENTS]?: WeakSet<Method> };
  const present = holder[REPLACEMENTS];
  if (present !== undefined) return present;
  const made = new WeakSet<Method>();
  Object.defineProperty(holder, REPLACEMENTS, { value: made });
  return made;
}
