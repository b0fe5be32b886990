import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { firstSchema } from "./migrations/001-first-schema.ts";
import { moneyByPart } from "./migrations/002-money-by-part.ts";
import { figuresApart } from "./migrations/003-figures-apart.ts";
import { searchSooner } from "./migrations/004-search-sooner.ts";
import { textsApart } from "./migrations/005-texts-apart.ts";
import { callsApart } from "./migrations/006-calls-apart.ts";
import { embeddingsApart } from "./migrations/007-embeddings-apart.ts";
import { abandonedApart } from "./migrations/008-abandoned-apart.ts";
import type { DatabaseKind } from "./sql-flavour.ts";
import { StoreError } from "./store-error.ts";
import type { Tables } from "./tables.ts";

const TABLE = "store_migrations";

/** Every step from an empty database to the newest schema; none is ever changed or taken away. */
function migrations(kind: DatabaseKind): Readonly<Record<string, Migration>> {
  return {
    "001-first-schema": { up: (database) => firstSchema(database, kind) },
    "002-money-by-part": { up: (database) => moneyByPart(database, kind) },
    "003-figures-apart": { up: (database) => figuresApart(database, kind) },
    "004-search-sooner": { up: (database) => searchSooner(database, kind) },
    "005-texts-apart": { up: (database) => textsApart(database, kind) },
    "006-calls-apart": { up: (database) => callsApart(database, kind) },
    "007-embeddings-apart": { up: (database) => embeddingsApart(database) },
    "008-abandoned-apart": { up: (database) => abandonedApart(database, kind) },
  };
}

/** The steps that a database with tables has not taken yet. */
export async function missingMigrations(
  database: Kysely<Tables>,
  kind: DatabaseKind,
): Promise<readonly string[]> {
  const { rows } = await sql<{
    readonly name: string;
  }>`select name from ${sql.table(TABLE)}`.execute(database);
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations(kind)).filter((name) => !done.has(name));
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
    migrationTableName: TABLE,
    migrationLockTableName: "store_migration_lock",
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const message = error instanceof Error ? error.message : String(error);
  const newer = /previously executed migration (\S+) is missing/.exec(message)?.[1];
  if (newer === undefined) throw error;
  throw new StoreError(
    `The store was made by a newer ThoughtFlow, whose schema ${newer} this one doesn't know.`,
    { cause: error },
  );
}
