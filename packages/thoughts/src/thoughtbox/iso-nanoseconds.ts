/** Nanoseconds since 1970 of an ISO 8601 time, all of its digits counted; `undefined` for what is none. */
export function isoNanoseconds(value: unknown): bigint | undefined {
  if (typeof value !== "string") return undefined;
  const time = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:?\d\d)?$/.exec(
    value,
  );
  if (time === null) return undefined;
  const [, whole = "", fraction = "", zone = "Z"] = time;
  const milliseconds = Date.parse(`${whole.replace(" ", "T")}${zone}`);
  if (Number.isNaN(milliseconds) || milliseconds < 0) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}
