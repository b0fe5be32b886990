import type { FlowRecord } from "@thoughtflow/schema";
import { createContentTable } from "./content-table.ts";
import { encodeFrame } from "./frame.ts";
import { bodyOfRecord } from "./record-body.ts";

/** Turns records into frames, each text once. */
export interface RecordEncoder {
  /** The content frames that are new and the record's own, last. Throws what `JSON.stringify` throws. */
  encode(record: FlowRecord): readonly Buffer[];
  /** What comes next needs nothing that came before. */
  forget(): void;
}

export function createRecordEncoder(): RecordEncoder {
  let frames: Buffer[] = [];
  const table = createContentTable(({ frame }) => frames.push(frame));
  return {
    encode(record) {
      frames = [];
      try {
        frames.push(encodeFrame(record.type, bodyOfRecord(record, table)));
      } catch (error) {
        // Nodes and pieces of the failed record would be taken for written.
        table.takeNodes();
        table.forget();
        throw error;
      }
      return frames;
    },
    forget: table.forget,
  };
}
