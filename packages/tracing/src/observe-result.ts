/** Hears how a function ended. Must not throw. */
export interface ResultObserver {
  returned(value: unknown): void;
  threw(error: unknown): void;
}

/**
 * Runs a function and hands its result on: the same value, the same error, or a promise of the same that is as
 * unhandled as the function's own when the program ignores it. A promise of a library's own kind (a query that runs
 * when it is awaited, an answer with more methods) stays the object that it is, and is heard when the program awaits
 * it.
 */
export function observeResult<T>(run: () => T, observer: ResultObserver): T {
  let result: T;
  try {
    result = run();
  } catch (error) {
    observer.threw(error);
    throw error;
  }
  if (isPlainPromise(result)) return heard(result, observer) as T;
  hearAwaited(result, observer);
  return result;
}

/** Hears a result that is sure to be awaited, so that a handler on its promise hides no rejection. */
export function hearResult(result: unknown, observer: ResultObserver): void {
  if (isPlainPromise(result)) apply(nativeThen, result, [observer.returned, observer.threw]);
  else hearAwaited(result, observer);
}

function hearAwaited(result: unknown, observer: ResultObserver): void {
  if (!isThenable(result) || !hearWhenAwaited(result, observer)) observer.returned(result);
}

/** A handler on the promise itself would make every rejection a handled one. */
function heard<T>(promise: Promise<T>, observer: ResultObserver): Promise<T> {
  return apply(nativeThen, promise, [
    (value: T) => {
      observer.returned(value);
      return value;
    },
    (error: unknown) => {
      observer.threw(error);
      throw error;
    },
  ]);
}

/** `then` is what begins the work of some: it must be called when the program calls it, and not once more. */
function hearWhenAwaited(thenable: Thenable, observer: ResultObserver): boolean {
  const { then } = thenable;
  let isHeard = false;
  function heardThen(this: unknown, onFulfilled?: unknown, onRejected?: unknown): unknown {
    if (isHeard) return then.call(this, onFulfilled, onRejected);
    isHeard = true;
    return then.call(
      this,
      (value: unknown) => {
        observer.returned(value);
        return typeof onFulfilled === "function" ? onFulfilled(value) : value;
      },
      (error: unknown) => {
        observer.threw(error);
        if (typeof onRejected === "function") return onRejected(error);
        throw error;
      },
    );
  }
  const property = { value: heardThen, configurable: true, writable: true };
  // biome-ignore lint/suspicious/noThenProperty: it takes the place of the thenable's own
  return Reflect.defineProperty(thenable, "then", property);
}

interface Thenable {
  readonly then: (this: unknown, onFulfilled?: unknown, onRejected?: unknown) => unknown;
}

/** The language's own, whatever the program has put in the place of the global: `await` asks no `then` of these. */
const NativePromise = (async () => {})().constructor as PromiseConstructor;

/** `await` asks for neither, so an app can do without them. */
const { then: nativeThen } = NativePromise.prototype;
const { apply } = Reflect;

function isPlainPromise(value: unknown): value is Promise<unknown> {
  return value instanceof NativePromise && value.constructor === NativePromise;
}

function isThenable(value: unknown): value is Thenable {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
