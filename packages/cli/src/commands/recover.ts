import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { orphanedJournals, recoveringProcesses } from "@thoughtflow/journal";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { quarantineBrokenDocuments } from "../broken-documents.ts";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { useOwnPrices } from "../own-prices.ts";
import { counted } from "../quantity.ts";
import { idLine } from "../shown-id.ts";
import { shownPath } from "../shown-path.ts";

export const recover: Command = {
  operands: "[directory]",
  count: { min: 0, max: 1 },
  options: { format: FORMAT_OPTION, dir: DIR_OPTION },
  async run(args, io) {
    const [place] = args.positionals;
    const dir = place === undefined ? flowDirectory(args, io) : resolve(io.cwd, place);
    if (!existsSync(join(dir, ".journal"))) {
      throw new CommandError(
        `${shownPath(dir, io.cwd)} holds no journal: no ThoughtFlow has written there.`,
      );
    }
    await useOwnPrices(io);
    const broken = await quarantineBrokenDocuments(dir);
    const atWork = recoveringProcesses(dir).map(({ pid }) => pid);
    // Documents that somebody else is about to write are not missing.
    const { journals, sessions, failed, quarantined } = await recoverFlows(dir, {
      missing: atWork.length === 0,
    });
    const left = atWork.length === 0 ? 0 : orphanedJournals(dir).length;
    const kept = [...broken, ...quarantined.map(({ path }) => path)];
    const format = args.text("format") ?? "pretty";
    if (format !== "pretty") {
      io.out(
        jsonText({ journals, sessions, failed, quarantined: kept, left, at_work: atWork }, format),
      );
    } else {
      for (const id of sessions) io.out(idLine(id, io));
      io.say(
        `${counted(sessions.length, "session")} from ${counted(journals, "journal")} of ended processes.`,
      );
      for (const path of kept)
        io.say(`What could not be read is kept in ${shownPath(path, io.cwd)}.`);
      for (const id of failed) io.say(`The files of ${id} could not be written.`);
    }
    if (failed.length > 0) return ExitCode.failure;
    if (atWork.length === 0) return ExitCode.ok;
    io.say(
      `Process ${atWork.join(", ")} recovers here, too; ${counted(left, "journal")} left to it. Say ${io.self} recover again when it is done.`,
    );
    return ExitCode.unverified;
  },
};
