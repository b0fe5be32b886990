/** Nanoseconds since 1970, decimal. A clock that a test of the app has replaced may tell no time at all. */
export function wallNanoseconds(): string {
  const milliseconds = Math.trunc(Date.now());
  return Number.isSafeInteger(milliseconds) ? `${milliseconds}000000` : "0";
}
