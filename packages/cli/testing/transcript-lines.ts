import { join } from "node:path";
import { claudeCode } from "../src/imports/claude-code/claude-code.ts";
import { filesBelow, sourceFile } from "../src/imports/source-file.ts";
import { type ImportedRecords, recordsOf } from "./imported-records.ts";

/** Lines of a transcript of Claude Code, of the session `s1`. */
export interface TranscriptLines {
  /** A record of any kind. */
  line(record: object): string;
  /** What a person says, or tools give. */
  said(content: unknown, more?: object): string;
  /** What a model answers. */
  answered(id: string, content: readonly object[], more?: object): string;
}

/** Each line a second after the one before. @param isChained Each follows that, too. */
export function transcriptLines(isChained: boolean): TranscriptLines {
  let second = 0;
  const line = (record: object): string => {
    const at = ++second;
    return `${JSON.stringify({
      uuid: `u${at}`,
      ...(isChained && { parentUuid: at === 1 ? null : `u${at - 1}` }),
      sessionId: "s1",
      timestamp: new Date(Date.UTC(2026, 8, 1) + at * 1_000).toISOString(),
      ...record,
    })}\n`;
  };
  return {
    line,
    said: (content, more = {}) =>
      line({ type: "user", message: { role: "user", content }, ...more }),
    answered: (id, content, more = {}) =>
      line({ type: "assistant", message: { id, role: "assistant", model: "m", content }, ...more }),
  };
}

/** The file of a sub-agent of that session. */
export function subAgentFile(name: string): string {
  return join("s1", "subagents", name);
}

/** What an import makes of all transcripts below a directory. */
export async function recordsBelow(dir: string): Promise<ImportedRecords> {
  const paths = await filesBelow(dir, claudeCode.takes ?? (() => true));
  const files = paths.map((path) => sourceFile(path, path.slice(dir.length + 1)));
  return recordsOf(claudeCode, files);
}
