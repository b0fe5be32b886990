import type { EarlierImports } from "../earlier-imports.ts";
import type { SourceFile } from "../source-file.ts";
import type { Opening } from "./openings.ts";
import { readTranscriptLine } from "./records.ts";
import type { ToldAnswers } from "./told-answers.ts";

/** So many lines come before the first that somebody said, at most. */
const FIRST_LINES = 50;

/** Notes the answers of sessions that were imported before, and with copies of which those of now may begin. */
export async function noteEarlierAnswers(
  mains: readonly Opening[],
  earlier: EarlierImports,
  answers: ToldAnswers,
): Promise<void> {
  const now = new Set(mains.map(({ sessionId }) => sessionId));
  const moments = new Set<number>();
  for (const { file, isStreamed } of mains)
    if (!isStreamed) for (const ms of await firstMoments(file)) moments.add(ms);
  for (const id of earlier.begunAt(moments, now))
    for (const call of earlier.callsOf(id)) answers.addEarlier(id, call);
}

async function firstMoments(file: SourceFile): Promise<ReadonlySet<number>> {
  const moments = new Set<number>();
  for await (const source of file.lines()) {
    if (source.number > FIRST_LINES) break;
    const line = readTranscriptLine(source);
    if (!("problem" in line) && line.time !== undefined) moments.add(line.time);
  }
  return moments;
}
