import { existsSync } from "node:fs";
import { readPriceFile } from "@thoughtflow/processor/prices";
import {
  FilterError,
  type LoadedFlows,
  loadFlows,
  type OpenStoreOptions,
  openStore,
  type Report,
  type Store,
  StoreError,
} from "@thoughtflow/store";
import type { CommandArguments, CommandOption } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { flowDirectory } from "../flow-directory.ts";
import { problemLines } from "../problem-lines.ts";
import { shownPath } from "../shown-path.ts";
import { embeddedStore } from "./embedded-store.ts";
import { namedStore } from "./named-store.ts";
import { reportText } from "./report-text.ts";
import { requireStoreAddress } from "./require-store-address.ts";

/** `--store`, for every command that asks a store. */
export const STORE_OPTION: CommandOption = {
  value: "URL",
  summary:
    "postgres://… or a SQLite file; default THOUGHTFLOW_STORE_URL, else one in the flow directory",
};

/** Does something with the store that is meant, and closes it. */
export async function withStore<T>(
  args: CommandArguments,
  io: CommandIo,
  work: (store: Store) => Promise<T>,
  { readOnly = false }: Pick<OpenStoreOptions, "readOnly"> = {},
): Promise<T> {
  const url = namedStore(args.text("store"), io) ?? embeddedStore(flowDirectory(args, io));
  requireStoreAddress(url);
  const path = io.env["THOUGHTFLOW_PRICES"];
  const prices = path ? { prices: readPriceFile(path) } : {};
  const store = await asCommand(openStore(url, { readOnly, ...prices }));
  try {
    return await asCommand(work(store));
  } finally {
    await store.close();
  }
}

/**
 * Asks the store something; the one in the flow directory first takes in what is new there.
 *
 * @param nothing What is said to people where it answers with no row. Default: the table without one.
 */
export async function askStore(
  args: CommandArguments,
  io: CommandIo,
  question: (store: Store) => Promise<Report>,
  nothing?: string,
): Promise<void> {
  const dir = flowDirectory(args, io);
  if (isEmbedded(args, io)) {
    if (!existsSync(dir))
      throw new CommandError(`There is no flow directory ${dir}. Try: thoughtflow demo`);
    await withStore(args, io, async (store) => sayBroken(await loadFlows(store, dir), io));
  }
  const report = await withStore(args, io, question, { readOnly: true });
  const format = args.text("format") ?? "pretty";
  const isNothing = nothing !== undefined && format === "pretty" && report.rows.length === 0;
  if (isNothing) io.say(nothing);
  else io.out(reportText(report, format));
}

/** `--limit`: how many rows. */
export function limitFrom(args: CommandArguments, usual: number): number {
  const text = args.text("limit") ?? String(usual);
  const limit = Number(text);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw badArguments(`--limit is "${text}", but must be a number from 1 on.`);
  return limit;
}

/** What could not be read, file by file. */
export function sayBroken(
  { broken = [], failed }: Pick<LoadedFlows, "failed"> & Partial<LoadedFlows>,
  io: CommandIo,
): void {
  for (const { session, reason } of failed)
    io.say(`The tables of ${session} can't be written: ${reason}`);
  for (const { path, problems } of broken)
    for (const line of problemLines(shownPath(path, io.cwd), problems)) io.say(line);
}

/** Whether the store that is meant is the flow directory's own. */
export function isEmbedded(args: CommandArguments, io: CommandIo): boolean {
  return namedStore(args.text("store"), io) === undefined;
}

/** What a store says is meant for the user. */
async function asCommand<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FilterError) throw badArguments(error.message);
    throw error instanceof StoreError ? new CommandError(error.message) : error;
  }
}
