import { badArguments } from "./command-error.ts";

const MILLISECONDS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const BYTES = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
} as const;

/** Milliseconds from `90m`, `12h`, `30d` or `4w`. */
export function millisecondsFrom(option: string, text: string): number {
  return quantityFrom(option, text, MILLISECONDS, "90m, 12h, 30d or 4w");
}

/** Bytes from `500MB`, `1GiB` or a plain number. */
export function bytesFrom(option: string, text: string): number {
  return quantityFrom(
    option,
    /^\d+$/.test(text) ? `${text}b` : text,
    BYTES,
    "500MB, 1GiB or 1000000",
  );
}

function quantityFrom(
  option: string,
  text: string,
  units: Readonly<Record<string, number>>,
  examples: string,
): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  if (factor === undefined) {
    throw badArguments(`${option} is "${text}", but must be like ${examples}.`);
  }
  return Number(number) * factor;
}

/** `1 session`, `2 sessions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Bytes for people: `1.5 MB`. */
export function bytesText(bytes: number): string {
  const [unit, factor] = bytes >= 1e9 ? ["GB", 1e9] : bytes >= 1e6 ? ["MB", 1e6] : ["kB", 1e3];
  return bytes < 1e3 ? `${bytes} B` : `${(bytes / (factor as number)).toFixed(1)} ${unit}`;
}
