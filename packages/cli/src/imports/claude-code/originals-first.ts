import type { SourceFile, SourceLine } from "../source-file.ts";
import type { AgentOpening, Opening } from "./openings.ts";
import { readTranscriptLine } from "./records.ts";

/**
 * Of sessions that began at once all but one begin with a copy of another one. The files of sub-agents are not copied: the original
 * has those of what stands in all of them. Else it is the one that ended first: those that were resumed go on from it.
 */
export async function originalsFirst(
  mains: readonly Opening[],
  agents: ReadonlyMap<string, readonly AgentOpening[]>,
): Promise<readonly Opening[]> {
  const alike = new Map<number, Opening[]>();
  for (const one of mains) {
    const group = alike.get(one.ms);
    if (group === undefined) alike.set(one.ms, [one]);
    else group.push(one);
  }
  const ends = new Map<Opening, number>();
  const agentsOfAll = new Map<Opening, number>();
  for (const group of alike.values()) {
    if (group.length === 1) continue;
    let first = Number.POSITIVE_INFINITY;
    for (const one of group) {
      const end = await endOf(one.file);
      ends.set(one, end);
      first = Math.min(first, end);
    }
    for (const one of group) {
      const own = agents.get(one.sessionId) ?? [];
      agentsOfAll.set(one, own.filter(({ ms }) => ms <= first).length);
    }
  }
  const countOf = (counts: ReadonlyMap<Opening, number>, one: Opening) => counts.get(one) ?? 0;
  return mains.toSorted(
    (a, b) =>
      a.ms - b.ms ||
      countOf(agentsOfAll, b) - countOf(agentsOfAll, a) ||
      countOf(ends, a) - countOf(ends, b),
  );
}

/** The time of the latest of its last records; of all where they tell none. */
async function endOf(file: SourceFile): Promise<number> {
  return (await latestTimeIn(file.lastLines())) || latestTimeIn(file.lines());
}

async function latestTimeIn(lines: AsyncIterable<SourceLine>): Promise<number> {
  let latest = 0;
  for await (const source of lines) {
    const line = readTranscriptLine(source);
    if (!("problem" in line)) latest = Math.max(latest, line.time ?? 0);
  }
  return latest;
}
