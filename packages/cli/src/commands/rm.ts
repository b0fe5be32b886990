import { createJournalReader } from "@thoughtflow/journal";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { eraseSessions } from "../erase-sessions.ts";
import { ExitCode } from "../exit-code.ts";
import { commandIn, DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { useOwnPrices } from "../own-prices.ts";
import { bytesText } from "../quantity.ts";
import { sessionBegunBy } from "../session-begun-by.ts";
import { summarizeSessions } from "../session-summary.ts";
import { idLine } from "../shown-id.ts";

export const rm: Command = {
  operands: "<session|latest> …",
  count: { min: 1, max: Number.POSITIVE_INFINITY },
  options: { dir: DIR_OPTION },
  async run(args, io) {
    const dir = flowDirectory(args, io);
    await useOwnPrices(io);
    const ids = await knownSessions(args.positionals, dir, io);
    const { files, bytes, left, stillHeld } = await eraseSessions(dir, ids, true);
    for (const id of ids) io.out(idLine(id, io));
    io.say(
      `Erased, with ${files.length} files of ${bytesText(bytes)}. Nothing of it will be shown again.`,
    );
    for (const id of stillHeld) {
      io.say(`A process that still runs holds records of ${id}: say rm again when it has ended.`);
    }
    for (const one of left) io.say(`This is not erased: ${one}`);
    return left.length === 0 ? ExitCode.ok : ExitCode.failure;
  },
};

async function knownSessions(
  words: readonly string[],
  dir: string,
  io: CommandIo,
): Promise<ReadonlySet<string>> {
  const summaries = await summarizeSessions(dir);
  const reader = createJournalReader(dir);
  await reader.refresh();
  const known = new Set([
    ...summaries.map(({ session }) => session.session_id),
    ...reader.sessionIds(),
  ]);
  const ids = new Set<string>();
  for (const word of words) {
    const id = word === "latest" ? summaries[0]?.session.session_id : word;
    if (id === undefined || !known.has(id)) {
      // What is erased doesn't come back: a beginning may be another one's by tomorrow.
      const begun = (await sessionBegunBy(word, dir))?.session.session_id;
      throw new CommandError(
        `There is no session ${word} in ${dir}. ${begun === undefined ? `See: ${commandIn(dir, "list", io)}` : `Did you mean ${begun}? To erase takes the whole id.`}`,
      );
    }
    ids.add(id);
  }
  return ids;
}
