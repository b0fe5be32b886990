import type { OtlpTime } from "./otlp-span.ts";

/** Whether a number goes into an int64; every other one is a double. */
export function integerFits(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Says that the next bit is known, and: the context came from another process. */
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** `Span.flags` and `Link.flags`. Source: opentelemetry-proto, `SpanFlags`. */
export function spanFlags(traceFlags: number, isRemote: boolean | undefined): number {
  return (traceFlags & 0xff) | HAS_IS_REMOTE | (isRemote === true ? IS_REMOTE : 0);
}

const NO_TIME: OtlpTime = [0, 0];

/** Whole seconds and nanoseconds; 0 for what is no time since 1970, which OTLP can't hold. */
export function wholeTime(time: OtlpTime): OtlpTime {
  const [seconds, nanoseconds] = time;
  if (
    Number.isInteger(seconds) &&
    Number.isInteger(nanoseconds) &&
    seconds >= 0 &&
    nanoseconds >= 0
  )
    return time;
  if (!Number.isFinite(seconds) || !Number.isFinite(nanoseconds)) return NO_TIME;
  const carry = Math.floor(nanoseconds / 1e9);
  const whole = Math.floor(seconds) + carry;
  return whole < 0 ? NO_TIME : [whole, Math.floor(nanoseconds - carry * 1e9)];
}
