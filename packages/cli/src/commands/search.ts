import { type Store, search as searchStore } from "@thoughtflow/store";
import type { Command } from "../command.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION } from "../flow-directory.ts";
import { askStore, limitFrom, STORE_OPTION } from "../store/open-store.ts";
import { REPORT_FORMAT } from "../store/report-text.ts";

export const search: Command = {
  operands: "'<filter>'",
  count: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    limit: { value: "N", summary: "how many steps; default 50" },
    format: REPORT_FORMAT,
    store: STORE_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const limit = limitFrom(args, 50);
    const filter = args.positionals.join(" ");
    const ask = (store: Store) => searchStore(store, filter, { limit });
    await askStore(args, io, ask, `No step matches ${filter}`);
    return ExitCode.ok;
  },
};
