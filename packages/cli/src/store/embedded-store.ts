import { join } from "node:path";

/** The store that stands in a flow directory. */
export function embeddedStore(dir: string): string {
  return join(dir, ".store", "flows.db");
}
