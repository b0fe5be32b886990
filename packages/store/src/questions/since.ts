import { type RawBuilder, sql } from "kysely";

/** From when on a question looks; absent: from the first. */
export interface Since {
  /** ISO 8601, UTC. */
  readonly since?: string | undefined;
}

/** A condition on a column of moments. */
export function isSince(column: string, { since }: Since): RawBuilder<boolean> {
  return since === undefined ? sql`true` : sql`${sql.ref(column)} >= ${since}`;
}
