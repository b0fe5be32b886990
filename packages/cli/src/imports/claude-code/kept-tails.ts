import { listOf, membersOf, textOf } from "../plain-values.ts";
import type { JudgedLine } from "./copied-beginnings.ts";
import type { TranscriptLine } from "./records.ts";

/**
 * What a compaction keeps beside its summary: the last of that may be written after the summary, as one that follows it, though
 * it was said before.
 */
export interface KeptTails {
  /** The same records in the order in which they were said. */
  inOrder(judged: JudgedLine): Iterable<JudgedLine>;
  /** What still waits at the end. */
  left(): Iterable<JudgedLine>;
}

/** @param isKnown Whether a record with this id has come. */
export function createKeptTails(isKnown: (uuid: string) => boolean): KeptTails {
  /** Kept, and not written yet. */
  const awaited = new Set<string>();
  /** The summary, while such are awaited. */
  let held: JudgedLine | undefined;

  function* left(): Generator<JudgedLine> {
    awaited.clear();
    if (held === undefined) return;
    const summary = held;
    held = undefined;
    yield summary;
  }

  return {
    *inOrder(judged) {
      const { line } = judged;
      if (line.agentId !== undefined) {
        yield judged;
        return;
      }
      if (held !== undefined && line.uuid !== undefined && awaited.delete(line.uuid)) {
        yield judged;
        if (awaited.size === 0) yield* left();
        return;
      }
      if (line.isCompactSummary && awaited.size > 0 && held === undefined) {
        held = judged;
        return;
      }
      yield* left();
      yield judged;
      for (const uuid of keptIn(line)) if (!isKnown(uuid)) awaited.add(uuid);
    },
    left,
  };
}

function keptIn({ name, record }: TranscriptLine): readonly string[] {
  if (name !== "system compact_boundary") return [];
  const { preservedMessages, preservedSegment } = membersOf(record["compactMetadata"]);
  const { uuids, allUuids } = membersOf(preservedMessages);
  const all = [...listOf(allUuids ?? uuids), membersOf(preservedSegment)["tailUuid"]];
  return all.flatMap((uuid) => textOf(uuid) ?? []);
}
