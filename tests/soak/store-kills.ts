import { openStore } from "@thoughtflow/store";
import { lossesUnderKills } from "../../packages/store/testing/kill-writers.ts";
import { startPostgres } from "../../packages/store/testing/postgres-server.ts";

/** Kills processes that write into one PostgreSQL and derive from it, so often; says what was lost or doubled. */
export async function storeKills(count: number): Promise<readonly string[]> {
  const server = await startPostgres();
  try {
    const url = server.createDatabase("kills");
    await (await openStore(url)).close();
    const problems = await lossesUnderKills(url, count, 1);
    console.log(`${count} kills: ${problems.length} problems`);
    return problems;
  } finally {
    await server.stop();
  }
}
