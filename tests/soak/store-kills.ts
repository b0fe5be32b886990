import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@thoughtflow/store";
import { lossesUnderKills } from "../../packages/store/testing/kill-writers.ts";
import { startPostgres } from "../../packages/store/testing/postgres-server.ts";

/** Kills processes that write into one store and derive from it, so often, in PostgreSQL and in SQLite; says what was lost or doubled. */
export async function storeKills(count: number): Promise<readonly string[]> {
  const server = await startPostgres();
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-kills-"));
  try {
    return [
      ...(await killed("PostgreSQL", server.createDatabase("kills"), count)),
      ...(await killed("SQLite", join(dir, "kills.db"), count)),
    ];
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true });
  }
}

async function killed(database: string, url: string, count: number): Promise<readonly string[]> {
  await (await openStore(url)).close();
  const problems = await lossesUnderKills(url, count, 1);
  console.log(`${database}: ${count} kills, ${problems.length} problems`);
  return problems.map((problem) => `${database}: ${problem}`);
}
