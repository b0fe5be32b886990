import { readOnlySql } from "@thoughtflow/store";
import type { Command } from "../command.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION } from "../flow-directory.ts";
import { askStore, limitFrom, STORE_OPTION } from "../store/open-store.ts";
import { REPORT_FORMAT } from "../store/report-text.ts";

export const sql: Command = {
  operands: "'SELECT …'",
  count: { min: 1, max: 1 },
  options: {
    limit: { value: "N", summary: "at most so many rows; default 1000" },
    format: REPORT_FORMAT,
    store: STORE_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const [query = ""] = args.positionals;
    const limit = limitFrom(args, 1000);
    await askStore(args, io, (store) => readOnlySql(store, query, limit));
    return ExitCode.ok;
  },
};
