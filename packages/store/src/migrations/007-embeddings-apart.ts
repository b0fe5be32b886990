import { type Kysely, sql } from "kysely";

/** An embedding is no call of a model, as in the document: the sessions that count one are to be written anew. */
export async function embeddingsApart(database: Kysely<unknown>): Promise<void> {
  await sql`insert into dirty (session_id)
    select distinct session_id from steps
    where label not in ('generic', 'assistant_call') and cost is not null`.execute(database);
}
