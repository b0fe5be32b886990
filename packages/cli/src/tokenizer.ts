import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CountTokens } from "@thoughtflow/provenance";
import { badArguments } from "./command-error.ts";
import type { CommandIo } from "./command-io.ts";

/**
 * The tokenizer that a module gives: a file, or a package of the app such as `gpt-tokenizer/encoding/o200k_base`, with
 * a function `countTokens(text)`, or `encode(text)` whose result has a length.
 */
export async function tokenizerOf(module: string, io: CommandIo): Promise<CountTokens> {
  const loaded = await load(module, io);
  for (const one of [loaded, loaded["default"] as Readonly<Record<string, unknown>> | undefined]) {
    const { countTokens, encode } = one ?? {};
    if (typeof countTokens === "function") return (text) => Number(countTokens(text));
    if (typeof encode === "function") return (text) => Number(encode(text).length);
  }
  throw badArguments(`--tokenizer ${module} has neither countTokens(text) nor encode(text).`);
}

async function load(
  module: string,
  { cwd }: CommandIo,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const path = createRequire(join(cwd, "package.json")).resolve(module);
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const why = (error as Error).message.split("\n")[0];
    throw badArguments(`--tokenizer ${module} can't be loaded from ${cwd}: ${why}`);
  }
}
