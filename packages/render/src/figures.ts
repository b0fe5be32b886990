import type { Totals, Usage } from "@thoughtflow/schema";

/** Milliseconds as a person reads them: `0 ms`, `548 ms`, `3.4 s`, `2 m 5 s`, `1 h 4 m`, `3 d 2 h`. */
export function formatDuration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return "?";
  const ms = Math.max(0, milliseconds);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return twoUnits(Math.floor(seconds / 60), "m", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return twoUnits(Math.floor(minutes / 60), "h", minutes % 60, "m");
  const hours = Math.round(minutes / 60);
  return twoUnits(Math.floor(hours / 24), "d", hours % 24, "h");
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** A whole number with thin groups: `12,345`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `3 steps`, `1 step`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `1,204 → 56 tokens`; empty when nothing is known. */
export function formatUsage(usage: Usage | Totals | undefined): string {
  const input = usage?.input_tokens;
  const output = usage?.output_tokens;
  if (input === undefined && output === undefined) return "";
  return `${formatCount(input ?? 0)} → ${formatCount(output ?? 0)} tokens`;
}
