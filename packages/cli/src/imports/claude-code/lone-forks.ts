import { membersOf, textOf } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";
import { isForked } from "./copied-records.ts";
import { readTranscriptLine, type TranscriptLine } from "./records.ts";

/**
 * The session, which is not here, of which a file holds a copy and nothing else: a fork that nobody went on with. Of several the
 * first.
 */
export async function originOfLoneFork(
  file: SourceFile,
  isHere: (sessionId: string) => boolean,
): Promise<string | undefined> {
  let origin: string | undefined;
  for await (const source of file.lines()) {
    const line = readTranscriptLine(source);
    if ("problem" in line || (line.type !== "user" && line.type !== "assistant")) continue;
    const from = forkedFrom(line);
    if (!isForked(line) || from === undefined || isHere(from)) return undefined;
    origin ??= from;
  }
  return origin;
}

/** A record of such a fork as the session had it that it was copied from; one that names none as this one had it. */
export function asIn(sessionId: string, line: TranscriptLine): TranscriptLine {
  const { forkedFrom: _, ...record } = line.record;
  return { ...line, sessionId: forkedFrom(line) ?? sessionId, record };
}

function forkedFrom({ record }: TranscriptLine): string | undefined {
  return textOf(membersOf(record["forkedFrom"])["sessionId"]);
}
