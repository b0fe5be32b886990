import { existsSync, readFileSync } from "node:fs";
import { documentSource, listSessions } from "@thoughtflow/journal";
import { type Proof, proofOf, type RunScore } from "@thoughtflow/provenance";
import { readSession, type Session } from "@thoughtflow/schema";
import { CommandError } from "../command-error.ts";
import { textTable } from "../text-table.ts";

/** Compares the runs of a flow directory before and after the latest change of an adaptation. */
export async function proofIn(dir: string, id: string): Promise<Proof> {
  const files = listSessions(dir);
  const sessions: Session[] = [];
  for (const { path } of files) {
    const { source } = await documentSource(path);
    if (typeof source === "string" && !source.includes("prompt_provenance")) continue;
    const result = readSession(source);
    if (result.ok) sessions.push(result.session);
  }
  const scores = files.flatMap(({ path }) => scoresBeside(path));
  const proof = proofOf(sessions, id, scores);
  if (proof !== undefined) return proof;
  throw new CommandError(
    `There are no two groups of runs in ${dir} that differ in ${id} and in nothing else that lasts.`,
  );
}

function scoresBeside(path: string): RunScore[] {
  const file = path.replace(/\.json$/, ".scores.jsonl");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => scoreFrom(line) ?? []);
}

function scoreFrom(line: string): RunScore | undefined {
  try {
    const { target, name, value } = JSON.parse(line);
    const { session, run } = target;
    const isScore = [session, run, name].every((one) => typeof one === "string");
    return isScore && typeof value === "number" ? { session, run, name, value } : undefined;
  } catch {
    return undefined;
  }
}

/** A proof as a table, means of a run. */
export function proofTable(id: string, { versions, runs, figures }: Proof): string {
  const rows = figures.map(({ name, before, after }) => [
    name,
    shown(before),
    shown(after),
    before === undefined || after === undefined ? "" : change(before, after),
  ]);
  const heading = (when: "before" | "after"): string =>
    `${when.toUpperCase()} (${versions[when]?.slice(0, 8) ?? "without it"}, ${runs[when]} ${runs[when] === 1 ? "run" : "runs"})`;
  return `${id}: runs that differ in nothing else that lasts; means of a run\n${textTable(
    ["", heading("before"), heading("after"), "CHANGE"],
    rows,
  )}`;
}

function shown(value: number | undefined): string {
  if (value === undefined) return "–";
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

function change(before: number, after: number): string {
  if (before === after) return "=";
  if (before === 0) return `+${shown(after)}`;
  const percent = Math.round(((after - before) / before) * 100);
  return `${percent > 0 ? "+" : ""}${percent}%`;
}
