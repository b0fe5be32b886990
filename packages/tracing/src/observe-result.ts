/** Hears how a function ended. Must not throw. */
export interface ResultObserver {
  returned(value: unknown): void;
  threw(error: unknown): void;
}

/**
 * Runs a function and hands its result on as it is: the same value, the same promise, the same error at the same
 * moment. The observer hears of it, of a promise when it settles.
 */
export function observeResult<T>(run: () => T, observer: ResultObserver): T {
  let result: T;
  try {
    result = run();
  } catch (error) {
    observer.threw(error);
    throw error;
  }
  if (isThenable(result)) {
    result.then(
      (value) => observer.returned(value),
      (error) => observer.threw(error),
    );
  } else {
    observer.returned(result);
  }
  return result;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
