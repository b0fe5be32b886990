import { createRequire } from "node:module";
import { StoreError } from "./store-error.ts";

/** The oldest Node whose SQLite has aggregate functions of one's own: sums of money are exact. */
const OLDEST_NODE = [22, 16];

/**
 * The SQLite that is part of Node.
 *
 * @throws StoreError on a Node that has none
 */
export function nodeSqlite(version: string = process.versions.node): typeof import("node:sqlite") {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new StoreError(
      `A SQLite store needs Node ${OLDEST_NODE.join(".")} or newer, and this is Node ${version}. A newer Node, or a PostgreSQL store, will do.`,
    );
  }
  // Not an import: Node 20 would not even load this file.
  return createRequire(import.meta.url)("node:sqlite") as typeof import("node:sqlite");
}
