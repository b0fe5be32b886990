import type { ImportReport } from "../import-format.ts";
import { jsonLines } from "../json-lines.ts";
import type { SourceFile } from "../source-file.ts";
import { isRolloutLine, isStreamLine } from "./recognise.ts";
import { momentOfId } from "./records.ts";
import { type Stream, streamsByThread, streamsIn } from "./streams.ts";
import { openThread, type Thread, withLaterFiles } from "./threads.ts";

/** The threads that files tell of. Where a thread has a rollout, that tells all that was printed, and more. */
export async function openThreads(
  files: readonly SourceFile[],
  report: ImportReport,
): Promise<readonly Thread[]> {
  const threads: Thread[] = [];
  const printed: Stream[] = [];
  for (const file of files) {
    if (await isPrinted(file)) printed.push(...(await streamsIn(file)));
    else threads.push(await openThread(file));
  }
  const kept = new Set(threads.map(({ id }) => id));
  const others: Thread[] = [];
  for (const [id, streams] of streamsByThread(printed, report)) {
    const thread = { rollouts: [], id, meta: undefined, head: undefined, ms: momentOfId(id) ?? 0 };
    if (!kept.has(id)) others.push({ ...thread, streams });
    else
      for (const _ of streams)
        report.lost("stream of a thread", "its rollout is here, and tells more");
  }
  return [...withLaterFiles(threads), ...others];
}

/** By the first line that tells. */
async function isPrinted(file: SourceFile): Promise<boolean> {
  for await (const line of jsonLines(file)) {
    if ("problem" in line) continue;
    if (isStreamLine(line.record)) return true;
    if (isRolloutLine(line.record)) return false;
  }
  return false;
}
