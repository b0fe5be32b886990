import type { SpanKind, SpanStatus } from "@thoughtflow/schema";

/** By their numbers in OTLP, from 1 on; 0 is unspecified. */
export const SPAN_KINDS: readonly SpanKind[] = [
  "internal",
  "server",
  "client",
  "producer",
  "consumer",
];
export const STATUS_CODES: readonly SpanStatus["code"][] = ["unset", "ok", "error"];

/** `SpanFlags`: the context came from another process. */
export const IS_REMOTE = 0x200;

export function spanKind(number: number): SpanKind {
  return SPAN_KINDS[number - 1] ?? "internal";
}

export function statusCode(number: number): SpanStatus["code"] {
  return STATUS_CODES[number] ?? "unset";
}

/** What is wrong with an id of so many bytes, given as hex; `undefined` when it names something. */
export function idProblem(name: string, hex: string, bytes: number): string | undefined {
  if (hex === "") return `${name} is missing`;
  if (hex.length !== 2 * bytes)
    return `${name} ${brief(hex)} has ${hex.length / 2} bytes, not ${bytes}`;
  return /[^0]/.test(hex) ? undefined : `${name} is all zero`;
}

function brief(hex: string): string {
  return hex.length > 40 ? `${hex.slice(0, 40)}…` : hex;
}
