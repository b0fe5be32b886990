import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres } from "../testing/postgres-server.ts";
import { killedRun, weatherRun } from "../testing/stories.ts";
import { appendRecords, deriveSessions, openStore, type Store } from "./index.ts";

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly rawSql: string }[];
}

const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync(
    new URL("../../../deploy/grafana/dashboards/thoughtflow.json", import.meta.url),
    "utf8",
  ),
);

const server = await startPostgres();
afterAll(() => server.stop());
let store: Store;
beforeAll(async () => {
  store = await openStore(server.createDatabase("flows"));
  await appendRecords(store, [...weatherRun("1", "ann"), ...killedRun("3", "bob")]);
  await deriveSessions(store);
});
afterAll(() => store.close());

/** What Grafana makes of its macros, for the days of the stories. */
function expanded(query: string): string {
  return query
    .replaceAll(
      /\$__timeFilter\((\w+)\)/g,
      "$1 BETWEEN '2026-01-01T00:00:00Z' AND '2026-01-02T00:00:00Z'",
    )
    .replaceAll(
      /\$__timeGroup\((\w+), (?:'1d'|\$__interval)\)/g,
      "floor(extract(epoch from $1) / 86400) * 86400",
    );
}

test.each(dashboard.panels)("$title has something to show", async ({ targets }) => {
  for (const { rawSql } of targets) {
    const query = expanded(rawSql);
    expect(query).not.toContain("$__");
    const { rows } = await sql<object>`${sql.raw(query)}`.execute(store.database);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.values(row).some((value) => value !== null)).toBe(true);
  }
});
