import { readdirSync } from "node:fs";

/** Every recording of this package as `loadExchanges` takes it, sorted. */
export function listRecordings(): readonly string[] {
  const root = new URL("../recordings/", import.meta.url);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length).replaceAll("\\", "/"))
    .sort();
}
