import type { AssembleOptions } from "@thoughtflow/assemble";
import type { Kysely } from "kysely";
import type { SqlFlavour } from "./sql-flavour.ts";
import type { Tables } from "./tables.ts";

/** An open store: what every function of this package works on. */
export interface Store {
  /** Its tables, for queries of one's own. */
  readonly database: Kysely<Tables>;
  readonly flavour: SqlFlavour;
  /** The prices that its documents are made with. */
  readonly assembling: AssembleOptions;
  /** Waits for what is under way, then lets go of the database. */
  close(): Promise<void>;
}

/** A transaction of a store, or the store itself. */
export type Queries = Pick<Store, "database" | "flavour">;
