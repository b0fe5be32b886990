import { resolve } from "node:path";
import type { CommandIo } from "../command-io.ts";

/** The store that an option or the environment names; a path as the user at that directory means it. */
export function namedStore(
  option: string | undefined,
  { env, cwd }: CommandIo,
): string | undefined {
  const named = option || env["THOUGHTFLOW_STORE_URL"] || undefined;
  return named === undefined || /^[a-z]+:/i.test(named) ? named : resolve(cwd, named);
}
