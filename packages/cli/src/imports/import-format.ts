import type { FlowRecord } from "@thoughtflow/schema";

/** What a file of another program becomes. */
export type Imported =
  | {
      readonly ok: true;
      /** Of one session or several; what documents are made of. */
      readonly records: readonly FlowRecord[];
      /** What was left out or is odd, one line each. */
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** A format of another program: one row of the table in `index.ts`. */
export interface ImportFormat {
  readonly summary: string;
  /** Reads a file's text. Pure: the same text gives the same records. Never throws. */
  read(text: string): Imported;
}
