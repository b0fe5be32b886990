import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileNameOf, listSessions, partsOf } from "@thoughtflow/journal";
import { blobsIn } from "../blobs-in-document.ts";
import type { Command } from "../command.ts";
import { eraseSessions, heldByLiving } from "../erase-sessions.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { useOwnPrices } from "../own-prices.ts";
import { bytesFrom, bytesText, counted, millisecondsFrom } from "../quantity.ts";
import { type SessionSummary, summarizeSessions } from "../session-summary.ts";
import { idLine } from "../shown-id.ts";

export const prune: Command = {
  operands: "",
  count: { min: 0, max: 0 },
  options: {
    "older-than": { value: "AGE", summary: "sessions whose last sign is older: 90m, 12h, 30d, 4w" },
    "larger-than": {
      value: "SIZE",
      summary: "the oldest sessions, until the directory is smaller: 500MB, 1GiB",
    },
    "dry-run": { summary: "only say which" },
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const dir = flowDirectory(args, io);
    await useOwnPrices(io);
    const age = args.text("older-than");
    const size = args.text("larger-than");
    const summaries = (await summarizeSessions(dir)).toReversed();
    const all = new Set(summaries.map(({ session }) => session.session_id));
    const living = new Set(heldByLiving(dir, all));
    const ended = summaries.filter(({ session }) => !living.has(session.session_id));
    const chosen = new Set([
      ...(age === undefined
        ? []
        : olderThan(ended, Date.now() - millisecondsFrom("--older-than", age))),
      ...(size === undefined
        ? []
        : await untilSmaller(ended, dir, bytesFrom("--larger-than", size))),
    ]);
    for (const id of chosen) io.out(idLine(id, io));
    if (args.has("dry-run")) {
      io.say(`${chosen.size} of ${counted(summaries.length, "session")} would go.`);
      return ExitCode.ok;
    }
    const before = await bytesIn(dir);
    const { journals, left } = await eraseSessions(dir, chosen, false);
    const freed = before - (await bytesIn(dir));
    io.say(
      `Removed: ${chosen.size} of ${counted(summaries.length, "session")}. Put together: ${counted(journals.journals, "journal")}. Freed: ${bytesText(Math.max(0, freed))}.`,
    );
    for (const one of left) io.say(`This could not be removed: ${one}`);
    return left.length === 0 ? ExitCode.ok : ExitCode.failure;
  },
};

/** Oldest first. */
function olderThan(summaries: readonly SessionSummary[], momentMs: number): readonly string[] {
  return summaries
    .filter(({ file, last }) => {
      const moment = Date.parse(last);
      return (Number.isNaN(moment) ? file.modifiedMs : moment) < momentMs;
    })
    .map(({ session }) => session.session_id);
}

/**
 * A session takes as much of the journals as its document is long, and its blobs, about. A blob goes with the last document
 * that names it.
 */
async function untilSmaller(
  summaries: readonly SessionSummary[],
  dir: string,
  most: number,
): Promise<readonly string[]> {
  const blobsOf = new Map<string, ReadonlySet<string>>();
  const namings = new Map<string, number>();
  for (const { name, path } of listSessions(dir)) {
    const blobs = await blobsIn(path);
    blobsOf.set(name, blobs);
    for (const blob of blobs) namings.set(blob, (namings.get(blob) ?? 0) + 1);
  }
  let bytes = await bytesIn(dir);
  const chosen: string[] = [];
  for (const { file, session } of summaries) {
    if (bytes <= most) break;
    chosen.push(session.session_id);
    bytes -= 2 * file.bytes;
    for (const part of partsOf(join(dir, file.name))) bytes -= 2 * (await bytesOf(part));
    for (const extension of ["d2", "svg", "scores.jsonl"])
      bytes -= await bytesOf(join(dir, `${fileNameOf(session.session_id)}.${extension}`));
    for (const blob of blobsOf.get(file.name) ?? []) {
      const others = (namings.get(blob) ?? 0) - 1;
      namings.set(blob, others);
      if (others === 0) bytes -= 2 * (await bytesOf(join(dir, "blobs", blob)));
    }
  }
  return chosen;
}

function bytesOf(path: string): Promise<number> {
  return lstat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function bytesIn(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => bytesOf(join(parentPath, name)));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
