import type { CommandIo } from "../command-io.ts";

/** What one look into one matter gave. */
export interface Finding {
  readonly subject: string;
  readonly status: "ok" | "warning" | "failure";
  /** One or two sentences: what is, and where it is wrong what to do. */
  readonly message: string;
}

/** Looks into one matter. Changes nothing that stays, asks nobody, never throws for what it finds. */
export type Examination = (io: CommandIo, dir: string) => Promise<readonly Finding[]>;
