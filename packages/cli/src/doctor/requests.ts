import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { READ } from "@thoughtflow/journal";
import type { Examination } from "./finding.ts";

/** Which endpoints were called that give no step: files, batches …; and which ThoughtFlow doesn't know. */
export const examineRequests: Examination = async (_io, dir) => {
  const journal = join(dir, ".journal");
  const names = (await readdir(journal).catch(() => [])).filter((name) =>
    /\.state\.json$/.test(name),
  );
  const totals = new Map<string, number>();
  const unknown = new Set<string>();
  for (const name of names) {
    const { requests, unknown_requests } = await countsIn(join(journal, name));
    for (const [route, count] of requests) totals.set(route, (totals.get(route) ?? 0) + count);
    for (const [route] of unknown_requests) unknown.add(route);
  }
  const counts = [...totals].sort(([a], [b]) => (a < b ? -1 : 1));
  const told = (isUnknown: boolean): string =>
    counts
      .filter(([route]) => unknown.has(route) === isUnknown)
      .map(([route, count]) => `${route} ${count}`)
      .join(", ");
  const lists = [
    ["that give no step", told(false)],
    ["that ThoughtFlow doesn't know, each a step of its own kind", told(true)],
  ] as const;
  return lists
    .filter(([, list]) => list !== "")
    .map(([what, list]) => ({ subject: "requests", status: "ok", message: `${what}: ${list}` }));
};

type Counts = readonly (readonly [route: string, count: number])[];

async function countsIn(
  path: string,
): Promise<{ readonly requests: Counts; readonly unknown_requests: Counts }> {
  try {
    const { requests, unknown_requests } = JSON.parse(
      await readFile(path, { encoding: "utf8", flag: READ }),
    );
    return { requests: countsOf(requests), unknown_requests: countsOf(unknown_requests) };
  } catch {
    // The examination of writers tells of it.
    return { requests: [], unknown_requests: [] };
  }
}

function countsOf(value: Readonly<Record<string, unknown>> = {}): Counts {
  return Object.entries(value).flatMap(([route, count]) =>
    typeof count === "number" ? [[route, count] as const] : [],
  );
}
