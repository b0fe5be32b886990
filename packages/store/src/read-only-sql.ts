import { sql } from "kysely";
import { type Columns, type Report, report } from "./report.ts";
import type { Store } from "./store.ts";
import { StoreError } from "./store-error.ts";

/** How a statement begins that gives rows and changes nothing, behind comments. */
const MAY_BE_ASKED = /^(?:\s|\(|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:select|with|values)\b/i;

/**
 * What one SELECT of somebody else's gives. It stands inside a SELECT of ours, so that it can be nothing else; the store
 * should be open for reading alone.
 *
 * @throws StoreError with what the database says of it
 */
export async function readOnlySql(
  { database }: Store,
  query: string,
  limit: number,
): Promise<Report> {
  const statement = query.trim().replace(/(\s*;)+$/, "");
  // The parameter makes drivers send it as one statement; the line break ends a comment.
  const wrapped = sql<object>`select * from (${sql.raw(`${statement}\n`)}) as answer limit ${limit}`;
  const { rows } = await wrapped.execute(database).catch((error: Error) => {
    const hint = MAY_BE_ASKED.test(statement) ? "" : " Only a SELECT can be asked.";
    throw new StoreError(`The database says: ${error.message}.${hint}`, { cause: error });
  });
  const columns = Object.keys(rows[0] ?? {}).map((name): [string, Columns[string]] => [
    name,
    "text",
  ]);
  return report(Object.fromEntries(columns), rows.map(shown));
}

/** Bytes as hex: nothing else prints. */
function shown(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
    ]),
  );
}
