import { ExitCode } from "./exit-code.ts";

/** Ends a command: the message goes to stderr, the code to whoever called. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = ExitCode.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What was typed can't be understood: exit code 3. */
export function badArguments(message: string): CommandError {
  return new CommandError(message, ExitCode.badArguments);
}
