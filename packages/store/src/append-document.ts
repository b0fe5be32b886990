import type { Session } from "@thoughtflow/schema";
import { columnText } from "./rows/column-values.ts";
import type { Queries } from "./store.ts";

/**
 * Keeps the bytes of a document whose records are not at hand. Of two documents of a session the one with the greater
 * revision stays; equal ones, the later.
 */
export async function appendDocument(
  { database }: Queries,
  session: Session,
  text: string,
): Promise<void> {
  const row = {
    session_id: columnText(session.session_id),
    revision: session.revision ?? 0,
    body: Buffer.from(text),
  };
  await database.transaction().execute(async (tx) => {
    await tx
      .insertInto("documents")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column("session_id")
          .doUpdateSet({ revision: row.revision, body: row.body })
          .where("documents.revision", "<=", row.revision),
      )
      .execute();
    await tx.insertInto("dirty").values({ session_id: row.session_id, trace_id: null }).execute();
  });
}
