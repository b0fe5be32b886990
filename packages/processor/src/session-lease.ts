// Not the global, which a test of the application may have replaced.
import { setTimeout } from "node:timers/promises";
import { fileNameOf, type Journal, type Lease } from "@thoughtflow/journal";

const ASK_EVERY_MS = 10;
/** Another process needs that long only for a session of some 100,000 steps. */
const PATIENCE_MS = 2_000;
/** The end of a process does not wait longer. */
const PATIENCE_AT_EXIT_MS = 200;

/**
 * The lease of a session's files. After a while without it the files are written all the same: they are read again
 * after that, as often as somebody else has added to them, so the last writer's are whole.
 */
export async function leaseOfSession(
  journal: Journal,
  sessionId: string,
): Promise<Lease | undefined> {
  for (let waited = 0; waited < PATIENCE_MS; waited += ASK_EVERY_MS) {
    const lease = journal.lease(fileNameOf(sessionId));
    if (lease !== undefined) return lease;
    await setTimeout(ASK_EVERY_MS, undefined, { ref: false });
  }
  return undefined;
}

/** The same at once. */
export function leaseOfSessionSync(journal: Journal, sessionId: string): Lease | undefined {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < PATIENCE_AT_EXIT_MS; waited += ASK_EVERY_MS) {
    const lease = journal.lease(fileNameOf(sessionId));
    if (lease !== undefined) return lease;
    Atomics.wait(sleeping, 0, 0, ASK_EVERY_MS);
  }
  return undefined;
}
