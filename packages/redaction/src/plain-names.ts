/// <reference lib="es2024.string" />
import { maskSecrets } from "./mask-secrets.ts";
import { SECRET_FIELD } from "./secret-families.ts";

/** Programs have few names, and short ones: what was found of them is known, up to so many of such a length. */
const MOST_NAMES = 4096;
const LONGEST_NAME = 100;

const plain = new Set<string>();

/** Whether a key of an object can stand as it is, and its value is no secret because of it. `token` alone depends on the value. */
export function isPlainName(name: string): boolean {
  if (plain.has(name)) return true;
  if (name === "token" || SECRET_FIELD.test(name)) return false;
  if (!name.isWellFormed() || maskSecrets(name) !== name) return false;
  if (plain.size < MOST_NAMES && name.length <= LONGEST_NAME) plain.add(name);
  return true;
}
