import { membersOf, textOf } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";
import { isForked } from "./copied-records.ts";
import { readTranscriptLine, type TranscriptLine } from "./records.ts";

/** Whether a file holds nothing but what was copied from sessions that are not here: a fork that nobody went on with. */
export async function isLoneFork(
  file: SourceFile,
  isHere: (sessionId: string) => boolean,
): Promise<boolean> {
  let isFork = false;
  for await (const source of file.lines()) {
    const line = readTranscriptLine(source);
    if ("problem" in line || (line.type !== "user" && line.type !== "assistant")) continue;
    const from = textOf(membersOf(line.record["forkedFrom"])["sessionId"]);
    if (!isForked(line) || (from !== undefined && isHere(from))) return false;
    isFork = true;
  }
  return isFork;
}

/** A record as that of the session that it stands in. */
export function asOwn(line: TranscriptLine): TranscriptLine {
  const { forkedFrom: _, ...record } = line.record;
  return { ...line, record };
}
