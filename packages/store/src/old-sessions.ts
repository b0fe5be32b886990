import { sql } from "kysely";
import type { Store } from "./store.ts";

/** Which sessions are to go: those whose last sign is older, and the oldest until what came takes less. */
export interface RetentionOptions {
  /** ISO 8601, UTC. */
  readonly before?: string;
  /** Of records, texts and documents together; tables and indexes take about as much again. */
  readonly bytes?: number;
  /** A run that says it runs and gave no sign since then is taken for over. ISO 8601, UTC; default: none is. */
  readonly silentSince?: string;
}

interface SessionSize {
  readonly session_id: string;
  readonly last_at: string | null;
  readonly size: number;
  /** SQLite says 0 or 1. */
  readonly is_running: boolean | number;
}

/** The sessions that are beyond what is to be kept, oldest first; those in which something still runs are not among them. */
export async function oldSessions(
  { database }: Store,
  { before, bytes, silentSince = "" }: RetentionOptions,
): Promise<readonly string[]> {
  const { rows } = await sql<SessionSize>`
    with came as (
      select session_id, length(body) as size from records where session_id is not null
      union all select scope, length(body) from pieces
      union all select session_id, length(body) from documents),
    sizes as (select session_id, sum(size) as size from came group by session_id)
    select s.session_id, s.last_at, cast(coalesce(z.size, 0) as bigint) as size,
      exists (select 1 from graph_runs r where r.session_id = s.session_id and r.status = 'RUNNING') as is_running
    from sessions s left join sizes z using (session_id)
    order by s.last_at nulls first, s.session_id`.execute(database);
  let left = rows.reduce((sum, { size }) => sum + size, 0);
  const old: string[] = [];
  for (const { session_id, last_at, size, is_running } of rows) {
    const isOld = before !== undefined && last_at !== null && last_at < before;
    const isTooMuch = bytes !== undefined && left > bytes;
    const isAlive = is_running && (last_at ?? "") >= silentSince;
    if (isAlive || !(isOld || isTooMuch)) continue;
    old.push(session_id);
    left -= size;
  }
  return old;
}
