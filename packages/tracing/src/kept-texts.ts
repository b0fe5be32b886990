import type { MaterialisedMessage } from "./materialised-message.ts";
import { processState } from "./process-state.ts";

/** What a text was made of, with the text. */
interface WithText {
  readonly json: string;
}

/** Messages, or any other content, whose texts were made together, and are let go together. */
export interface TextBatch<T extends WithText = MaterialisedMessage> {
  /** Empty once they were let go: then each is made anew when somebody asks for it. */
  messages: readonly T[];
  readonly bytes: number;
  /** Called when they are let go while somebody still holds them. */
  readonly onLetGo: (() => void) | undefined;
}

/** The texts of all content that anybody still holds, short ones besides, with what spans hold that wait to be exported: at most. */
export const MOST_KEPT_BYTES: number = 64 * 1024 * 1024;

/**
 * A batch of no more is not counted: the span that it belongs to takes more memory than its texts. What is counted is
 * weakly held, and the engine keeps such objects until its next full collection, also when nobody else holds them.
 */
const LEAST_COUNTED_BYTES = 2_048;

/** So many batches are not looked through for those that are gone. */
const FEW_BATCHES = 1_024;

const kept = processState("kept-texts.v3", () => ({
  /** The oldest first. Weak: a batch goes with the last message of the program that it belongs to. */
  batches: [] as WeakRef<TextBatch<WithText>>[],
  /** Of all batches, also of those that may be gone meanwhile. */
  bytes: 0,
  /** Grows only. */
  bytesMade: 0,
  sweepAt: FEW_BATCHES,
  limit: MOST_KEPT_BYTES,
}));

/** Bytes that texts may take from now on. */
export function limitTexts(bytes: number): void {
  kept.limit = bytes;
}

/** Bytes of all texts that were ever made: what spans that wait hold grows no faster. */
export function textBytesMade(): number {
  return kept.bytesMade;
}

/** Remembers texts as long as what they were made of is held, the oldest not when all together are more than may be. */
export function keepTexts<T extends WithText>(
  messages: readonly T[],
  onLetGo?: () => void,
): TextBatch<T> {
  // Two bytes a character, as the engine has it where one is outside of Latin-1.
  const bytes = messages.reduce((sum, { json }) => sum + 2 * json.length, 0);
  const batch = { messages, bytes, onLetGo };
  kept.bytesMade += bytes;
  if (bytes <= LEAST_COUNTED_BYTES) return batch;
  kept.batches.push(new WeakRef(batch));
  kept.bytes += bytes;
  if (kept.batches.length >= kept.sweepAt || kept.bytes > kept.limit) sweep();
  return batch;
}

/** Forgets batches that are gone; when those that are left are too many bytes, lets the older half of these go. */
function sweep(): void {
  const living = kept.batches.filter((one) => (one.deref()?.messages.length ?? 0) > 0);
  let bytes = living.reduce((sum, one) => sum + (one.deref()?.bytes ?? 0), 0);
  let first = 0;
  if (bytes > kept.limit) {
    for (; first < living.length && bytes > kept.limit / 2; first += 1) {
      const batch = living[first]?.deref();
      if (batch === undefined) continue;
      bytes -= batch.bytes;
      batch.messages = [];
      batch.onLetGo?.();
    }
  }
  kept.batches = living.slice(first);
  kept.bytes = bytes;
  kept.sweepAt = Math.max(FEW_BATCHES, 2 * kept.batches.length);
}
