import { cpSync, existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const sdk = realpathSync(fileURLToPath(new URL("node_modules/openai", import.meta.url)));

/** A copy of the SDK in a folder, under a name that no hook knows: the path of its module. */
export function copyOfSdk(folder, name) {
  const copy = join(folder, "node_modules", name);
  if (!existsSync(copy)) cpSync(sdk, copy, { recursive: true });
  return join(copy, "index.mjs");
}
