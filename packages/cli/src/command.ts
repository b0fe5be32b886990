import type { CommandIo } from "./command-io.ts";
import type { FirstWords } from "./first-word.ts";

/** An option of a command, given as `--name`. */
export interface CommandOption {
  /** What its value is called in the help; absent: a switch without value. */
  readonly value?: string;
  /** One letter, given as `-x`. */
  readonly short?: string;
  /** The values it takes, where these are few. */
  readonly choices?: readonly string[];
  /** What other commands and programs call it: who says that is told its name here. */
  readonly otherNames?: readonly string[];
  readonly summary: string;
}

/** What was typed after the command's name, understood. */
export interface CommandArguments {
  readonly positionals: readonly string[];
  /** The value of an option; of several the last. */
  text(name: string): string | undefined;
  /** Whether a switch is there. */
  has(name: string): boolean;
}

/** One word of `thoughtflow <command>`, with one line for the table of commands. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** The command itself, with all that it needs: what is not called for is not loaded. */
  load(): Promise<Command>;
}

/** What a command takes and does. */
export interface Command {
  /** What follows the name in the usage line: `<file|session|latest>`. */
  readonly operands: string;
  /** What the first of them may be, where that is one of a few. */
  readonly words?: FirstWords<{ readonly summary: string }>;
  /** How many positionals there must be. */
  readonly count: { readonly min: number; readonly max: number };
  /** By name, beside `help` and `no-color`, which every command has. */
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Everything from the first positional on belongs to another program and is left as it is. */
  readonly passesOn?: boolean;
  /** Does the work and gives the exit code. Throws `CommandError` to end with a message. */
  run(args: CommandArguments, io: CommandIo): Promise<number>;
}
