type Create = (this: unknown, ...parameters: unknown[]) => unknown;

/**
 * Has `prepare` called once, right before the first `create` of an `OpenAI` class, of whatever resource: what
 * instruments them need not be loaded until then. Knows nothing of openai but that its resources are classes that
 * hang on the class. Where somebody else wraps a `create` in the meantime, their wrapper stays.
 *
 * @returns takes it back, without calling `prepare`
 */
export function beforeFirstCall(openai: unknown, prepare: () => void): () => void {
  const undo: (() => void)[] = [];
  const release = () => {
    for (const one of undo.splice(0)) one();
  };
  const prepareOnce = () => {
    if (undo.length === 0) return;
    release();
    prepare();
  };
  for (const resource of classesOn(openai)) {
    for (const one of [resource, ...classesOn(resource)])
      undo.push(trap(one.prototype, prepareOnce));
  }
  return release;
}

function trap(prototype: { create?: unknown }, prepare: () => void): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, "create");
  if (typeof descriptor?.value !== "function" || descriptor.configurable !== true) return () => {};
  const original: Create = descriptor.value;
  let isReleased = false;
  const create: Create = function (...parameters) {
    prepare();
    // What is there now is the original, instrumented or not, unless our place had been taken.
    const next = isReleased ? (prototype.create as Create) : original;
    return Reflect.apply(next, this, parameters);
  };
  Object.defineProperties(create, Object.getOwnPropertyDescriptors(original));
  Object.defineProperty(prototype, "create", { ...descriptor, value: create });
  return () => {
    if (prototype.create !== create) return;
    Object.defineProperty(prototype, "create", descriptor);
    isReleased = true;
  };
}

interface Class {
  readonly prototype: object;
}

/** The classes that hang on a class. */
function classesOn(holder: unknown): Class[] {
  if (typeof holder !== "function") return [];
  return Object.values(holder).filter(
    (value): value is Class => typeof value === "function" && typeof value.prototype === "object",
  );
}
