import { decodeProtobufRequest, excerptBytes } from "@thoughtflow/otlp";
import type { SpanIntake, TakenAs } from "@thoughtflow/processor/intake";
import type { SpanRecord } from "@thoughtflow/schema";
import { appendRecords, type Store } from "@thoughtflow/store";

interface Waiting {
  readonly records: readonly SpanRecord[];
  readonly done: (as: TakenAs) => void;
}

/**
 * Takes spans straight into a store: what was acknowledged is committed there. Requests that come while others are being
 * committed go together.
 *
 * @param onFailure hears what the database says; the request is refused, and sent again by who sent it
 */
export function createStoreIntake(
  store: Store,
  onFailure: (problem: unknown, what: string) => void,
): SpanIntake {
  let spans = 0;
  let waiting: Waiting[] = [];
  let committing: Promise<void> | undefined;

  async function commit(): Promise<void> {
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      const as = await append(together.flatMap(({ records }) => records));
      for (const { done } of together) done(as);
    }
    committing = undefined;
  }

  async function append(records: readonly SpanRecord[]): Promise<TakenAs> {
    try {
      await appendRecords(store, records);
      spans += records.length;
      return "kept";
    } catch (error) {
      onFailure(error, "the store");
      return "failed";
    }
  }

  return {
    take(request) {
      const bytes = excerptBytes(request.requestOf(request.spans));
      const { records } = decodeProtobufRequest(bytes);
      return new Promise((done) => {
        waiting.push({ records, done });
        committing ??= commit();
      });
    },
    flush: async () => await committing,
    closeSync() {},
    counters: {
      get spans() {
        return spans;
      },
    },
  };
}
