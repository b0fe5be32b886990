type Method = (this: unknown, ...parameters: unknown[]) => unknown;
type Prototype = Record<string, unknown>;

/** What the methods of resources are called that send a request of their own, whichever resource they belong to. */
const METHODS = [
  "create",
  "createAndRun",
  "createVariation",
  "cancel",
  "compact",
  "edit",
  "extend",
  "generate",
  "remix",
  "retrieve",
  "runTools",
  "search",
  "submitToolOutputs",
] as const;

/** What a client, a runner's class and a socket's have themselves. */
const OWN_METHODS = ["methodRequest", "run", "iterate", "send", "sendResponseCreate"] as const;

/**
 * Has `prepare` called once, right before the first call of an `OpenAI` class, of whatever resource, of a runner's
 * class, or of one that speaks over a socket: what instruments them need not be loaded until then. Knows nothing of
 * openai but that its resources are classes that
 * hang on the class, and that every request goes through its `methodRequest`, which catches what has another name or
 * hangs deeper. Where somebody else wraps a method in the meantime, their wrapper stays.
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
    for (const one of [resource, ...classesOn(resource)]) {
      for (const name of METHODS) undo.push(trap(one.prototype as Prototype, name, prepareOnce));
    }
  }
  for (const one of prototypesOf(openai)) {
    for (const name of OWN_METHODS) undo.push(trap(one, name, prepareOnce));
  }
  return release;
}

function trap(prototype: Prototype, name: string, prepare: () => void): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  if (typeof descriptor?.value !== "function" || descriptor.configurable !== true) return () => {};
  const original: Method = descriptor.value;
  let isReleased = false;
  const method: Method = function (...parameters) {
    prepare();
    // What is there now is the original, instrumented or not, unless our place had been taken.
    const next = isReleased ? (prototype[name] as Method) : original;
    return Reflect.apply(next, this, parameters);
  };
  Object.defineProperties(method, Object.getOwnPropertyDescriptors(original));
  Object.defineProperty(prototype, name, { ...descriptor, value: method });
  return () => {
    if (prototype[name] !== method) return;
    // Frozen in the meantime, it stays, and calls the original.
    isReleased = Reflect.defineProperty(prototype, name, descriptor);
  };
}

/** Of a class and those that it extends. */
function prototypesOf(openai: unknown): Prototype[] {
  const prototypes: Prototype[] = [];
  let at: unknown = typeof openai === "function" ? openai.prototype : undefined;
  while (typeof at === "object" && at !== null && at !== Object.prototype) {
    prototypes.push(at as Prototype);
    at = Object.getPrototypeOf(at);
  }
  return prototypes;
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
