import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { firstSchema } from "./migrations/001-first-schema.ts";
import type { DatabaseKind } from "./sql-flavour.ts";
import { StoreError } from "./store-error.ts";
import type { Tables } from "./tables.ts";

/** Every step from an empty database to the newest schema; none is ever changed or taken away. */
function migrations(kind: DatabaseKind): Readonly<Record<string, Migration>> {
  return { "001-first-schema": { up: (database) => firstSchema(database, kind) } };
}

/**
 * Brings a database to the newest schema; one that is there already stays as it is. Of several processes that open it at
 * once one does the work.
 *
 * @throws StoreError when a newer version made it
 */
export async function migrate(database: Kysely<Tables>, kind: DatabaseKind): Promise<void> {
  const known = migrations(kind);
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => known },
    migrationTableName: "store_migrations",
    migrationLockTableName: "store_migration_lock",
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const message = error instanceof Error ? error.message : String(error);
  const newer = /previously executed migration (\S+) is missing/.exec(message)?.[1];
  throw new StoreError(
    newer === undefined
      ? `The store can't be brought to the newest schema: ${message}`
      : `The store was made by a newer ThoughtFlow, whose schema ${newer} this one doesn't know.`,
    { cause: error },
  );
}
