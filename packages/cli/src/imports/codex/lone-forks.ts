import { rolloutLines } from "./bare-lines.ts";
import { createCopiedLines } from "./copied-lines.ts";
import { type RolloutLine, rolloutLine } from "./records.ts";
import { createSettledLines } from "./settled-lines.ts";
import type { Thread } from "./threads.ts";

/** Kinds of lines that say something. */
const SAYING: ReadonlySet<string> = new Set([
  "response_item",
  "program_message",
  "inter_agent_communication",
  "token_usage_record",
  "compacted",
]);

/**
 * The thread, which is not here, of which another one holds a copy and nothing else: nobody went on with that.
 *
 * @param isHere Whether a thread is imported, too.
 */
export async function originOfLoneCopy(
  { rollouts, meta, head }: Thread,
  isHere: (thread: string) => boolean,
): Promise<string | undefined> {
  const above = [meta?.forkedFrom, meta?.parent].filter((id) => id !== undefined);
  const isGrowing = rollouts.some(({ file }) => file.isGrowing === true);
  if (above.length === 0 || isGrowing || above.some(isHere)) return undefined;
  const copied = createCopiedLines(undefined, head);
  const lines = createSettledLines(copied.begins);
  const isOwn = (line: RolloutLine) => !copied.isCopied(line, "") && SAYING.has(line.kind);
  for (const { file } of rollouts)
    for await (const read of rolloutLines(file)) {
      const line = "problem" in read ? undefined : rolloutLine(read.record, read.number);
      if (line !== undefined && lines.take(line).some(isOwn)) return undefined;
    }
  return lines.finish(false).some(isOwn) ? undefined : above[0];
}
