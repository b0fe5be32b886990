import {
  assemble,
  mayHoldLargeTexts,
  type ScoreLine,
  scoresOf,
  withoutLargeTexts,
} from "@thoughtflow/assemble";
import { type FlowRecord, readSession, type Session } from "@thoughtflow/schema";
import { canonicalChunks } from "@thoughtflow/schema/canonical";
import { columnText } from "./rows/column-values.ts";
import { recordsOfSession } from "./session-records.ts";
import type { Store } from "./store.ts";

/** A session as a store knows it. */
export interface StoredSession {
  readonly session: Session;
  readonly scores: readonly ScoreLine[];
  /** What it was assembled of; none where only its document came. */
  readonly records: readonly FlowRecord[];
  /** The document's text, in pieces; byte for byte what a flow directory has. */
  readonly document: Iterable<string>;
}

/** Where a session is read: a store, or a transaction of one. */
export type SessionSource = Pick<Store, "database" | "flavour" | "assembling">;

/**
 * A session, assembled from its records; from the document that came without them where that says more. `undefined`
 * where the store has neither, or it was erased.
 */
export async function readStoredSession(
  store: SessionSource,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const records = await recordsOfSession(store, sessionId);
  const session = assemble(records, store.assembling).find(
    (one) => columnText(one.session_id) === sessionId,
  );
  const given = await store.database
    .selectFrom("documents")
    .selectAll()
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  const isErased = records.some(
    (record) => record.type === "tombstone" && record.traceId === undefined,
  );
  if (given !== undefined && !isErased && given.revision > (session?.revision ?? -1)) {
    const text = Buffer.from(given.body).toString();
    const read = readSession(text);
    if (read.ok) return { session: read.session, scores: [], records: [], document: [text] };
  }
  if (session === undefined) return undefined;
  return {
    session,
    scores: scoresOf(records, session.session_id),
    records,
    document: canonicalChunks(session, mayHoldLargeTexts(records) ? withoutLargeTexts : undefined),
  };
}

/** The document of a session as text; `undefined` where the store has none. */
export async function documentOf(
  store: SessionSource,
  sessionId: string,
): Promise<string | undefined> {
  const stored = await readStoredSession(store, columnText(sessionId));
  return stored && [...stored.document].join("");
}
