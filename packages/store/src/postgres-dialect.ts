import { PostgresDialect, type PostgresPool } from "kysely";
import { StoreError } from "./store-error.ts";

const OID = { int8: 20, json: 114, numeric: 1700, timestamptz: 1184 } as const;

/** Rows as SQLite gives them: counts as numbers, money and JSON as text, moments as ISO 8601. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [OID.int8]: Number,
  [OID.json]: (text) => text,
  [OID.numeric]: (text) => text,
  [OID.timestamptz]: (text) => new Date(text).toISOString(),
};

interface PgClient {
  on(event: "error", listener: (error: Error) => void): void;
}

/** What is used of `pg`, which is the app's to install. */
interface PgModule {
  readonly default: {
    readonly Pool: new (
      options: object,
    ) => PostgresPool & {
      on(event: "error", listener: (error: Error) => void): void;
      on(event: "connect", listener: (client: PgClient) => void): void;
    };
    readonly types: { getTypeParser(oid: number, format?: string): unknown };
  };
}

/**
 * PostgreSQL for kysely, by `pg`.
 *
 * @throws StoreError when `pg` is not installed
 */
export async function postgresDialect(url: string, readOnly: boolean): Promise<PostgresDialect> {
  const { Pool, types } = (await pg()).default;
  const pool = new Pool({
    connectionString: url,
    max: 5,
    // A server that doesn't answer is one that is down.
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // A process that was frozen in a transaction gives up what it had claimed.
    idle_in_transaction_session_timeout: 300_000,
    application_name: "thoughtflow",
    ...(readOnly && { options: "-c default_transaction_read_only=on" }),
    types: {
      getTypeParser: (oid: number, format?: string) =>
        format === "binary"
          ? types.getTypeParser(oid, format)
          : (PARSERS[oid] ?? types.getTypeParser(oid, format)),
    },
  });
  // A connection that breaks is replaced; the query that used it, or the next one, says it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return new PostgresDialect({ pool });
}

async function pg(): Promise<PgModule> {
  try {
    return (await import("pg")) as unknown as PgModule;
  } catch (error) {
    throw new StoreError("A PostgreSQL store needs the package pg: npm i pg", { cause: error });
  }
}
