import {
  type CallKey,
  callsBy,
  callsByAdaptation,
  overview,
  type Report,
  type RunOrder,
  runs,
  type Since,
  type Store,
  tokensByPart,
  type WorkKey,
  workBy,
} from "@thoughtflow/store";
import type { Command, CommandArguments } from "../command.ts";
import { badArguments } from "../command-error.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION } from "../flow-directory.ts";
import { millisecondsFrom } from "../quantity.ts";
import { askStore, limitFrom, STORE_OPTION } from "../store/open-store.ts";
import { REPORT_FORMAT } from "../store/report-text.ts";

type Question = (store: Store, when: Since) => Promise<Report>;

const calls =
  (by: CallKey): Question =>
  (store, when) =>
    callsBy(store, by, when);
const work =
  (by: WorkKey): Question =>
  (store, when) =>
    workBy(store, by, when);

const BY: Readonly<Record<string, Question>> = {
  model: calls("model"),
  agent: calls("agent"),
  user: calls("user"),
  session: calls("session"),
  day: calls("day"),
  tool: work("tool"),
  node: work("node"),
  part: tokensByPart,
  adaptation: callsByAdaptation,
};

const RUNS: readonly RunOrder[] = ["latest", "slowest", "expensive", "failed", "stuck"];

/** A running run that has said nothing for so long is stuck, unless `--silent` says otherwise. */
const SILENT = "10m";

export const stats: Command = {
  operands: "",
  count: { min: 0, max: 0 },
  options: {
    by: {
      value: "WHAT",
      choices: Object.keys(BY),
      summary: "calls, errors, tokens, money and time by this",
    },
    runs: { value: "WHICH", choices: RUNS, summary: "single runs instead" },
    since: { value: "WHEN", summary: "7d, 12h, 90m, or a date: 2026-11-01" },
    silent: {
      value: "AGE",
      summary: `--runs stuck: without a sign for so long; default ${SILENT}`,
    },
    limit: { value: "N", summary: "--runs: how many; default 20" },
    format: REPORT_FORMAT,
    store: STORE_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const question = questionFrom(args);
    const since = momentFrom("--since", args.text("since"));
    await askStore(args, io, (store) => question(store, since === undefined ? {} : { since }));
    return ExitCode.ok;
  },
};

function questionFrom(args: CommandArguments): Question {
  const [by, which] = [args.text("by"), args.text("runs")];
  if (by !== undefined && which !== undefined)
    throw badArguments("stats takes either --by or --runs, not both.");
  if (which !== undefined) {
    const silent = millisecondsFrom("--silent", args.text("silent") ?? SILENT);
    const silentSince = new Date(Date.now() - silent).toISOString();
    const limit = limitFrom(args, 20);
    return (store, when) => runs(store, which as RunOrder, { ...when, limit, silentSince });
  }
  return BY[by ?? ""] ?? overview;
}

/** A moment as ISO 8601: so long ago, or a date. */
function momentFrom(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d{4}-/.test(text)) {
    const moment = new Date(text);
    if (!Number.isNaN(moment.getTime())) return moment.toISOString();
  }
  return new Date(Date.now() - millisecondsFrom(option, text)).toISOString();
}
