import type { EarlierImports } from "../earlier-imports.ts";
import type { SourceFile } from "../source-file.ts";
import type { Opening } from "./openings.ts";
import { readTranscriptLine, type TranscriptLine } from "./records.ts";
import type { ToldAnswers } from "./told-answers.ts";

/** So many lines come before the first that somebody said, at most. */
const FIRST_LINES = 50;

/** Notes the answers of sessions that were imported before, and with copies of which those of now may begin. */
export async function noteEarlierAnswers(
  mains: readonly Opening[],
  earlier: EarlierImports,
  answers: ToldAnswers,
): Promise<void> {
  const others = earlier.sessionsBut(new Set(mains.map(({ sessionId }) => sessionId)));
  if (others.length === 0) return;
  /** When a session may have begun that has all of what one begins with, as copies keep the times. */
  const begun = new Set<number>();
  /** The same of one that had begun before: its history was summed up, and was copied from there on. */
  const during = new Set<number>();
  for (const { file, isStreamed } of mains) {
    if (isStreamed) continue;
    const first = await firstSaid(file);
    for (const { time } of first) if (time !== undefined) begun.add(time);
    const summary = first.find(({ isCompactSummary }) => isCompactSummary)?.time;
    if (summary !== undefined) during.add(summary);
  }
  for (const { id, began, ended } of others) {
    const isDuring = [...during].some((ms) => began <= ms && ms <= ended);
    if (!isDuring && !begun.has(began)) continue;
    for (const call of earlier.callsOf(id)) answers.addEarlier(id, call);
  }
}

/** The records up to the first answer: a session's first time is that of one of them. */
async function firstSaid(file: SourceFile): Promise<readonly TranscriptLine[]> {
  const first: TranscriptLine[] = [];
  for await (const source of file.lines()) {
    if (source.number > FIRST_LINES) break;
    const line = readTranscriptLine(source);
    if ("problem" in line) continue;
    first.push(line);
    if (line.type === "assistant") break;
  }
  return first;
}
