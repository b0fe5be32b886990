import type {
  Adaptation,
  AdaptationEdit,
  AdaptationFiles,
  AdaptationState,
  Proposal,
} from "@thoughtflow/adaptations";
import { plainText as clean } from "@thoughtflow/render";
import type { CommandArguments } from "../command.ts";
import type { CommandIo } from "../command-io.ts";

/** All that a verb works with. */
export interface Adapting {
  readonly args: CommandArguments;
  readonly io: CommandIo;
  readonly dir: string;
  readonly files: AdaptationFiles;
  readonly state: AdaptationState;
  /** The catalogue file's items with what is in force; of a catalogue in a program the edits alone are known. */
  readonly items: readonly Adaptation[];
  /** What follows the verb. */
  readonly rest: readonly string[];
}

/** What is proposed, beside what is, without anything that acts on the terminal: a person decides by it. */
export function sayProposal(
  { proposal, id, edit: change, reason }: Proposal,
  items: readonly Adaptation[],
  io: CommandIo,
): void {
  const item = items.find((one) => one.id === id);
  io.say(
    `${oneLine(proposal)} of ${oneLine(id)}${reason === undefined ? "" : ` (${oneLine(reason)})`}`,
  );
  for (const [name, now] of Object.entries(change)) {
    const before = item?.[name as keyof AdaptationEdit];
    if (before !== undefined) io.say(`  - ${name}: ${oneLine(before)}`);
    io.say(`  + ${name}: ${oneLine(now)}`);
  }
}

/** A text of the log without what acts on a terminal, on one line. */
export function oneLine(value: unknown): string {
  return clean(String(value)).replace(/\s+/g, " ");
}
