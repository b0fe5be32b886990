import type { CommandIo } from "../src/command-io.ts";

/** An io that keeps what is written to it. */
export interface CapturedIo extends CommandIo {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The signals that were to end the process. */
  readonly signals: readonly NodeJS.Signals[];
}

/** No terminal and an environment without settings, unless told otherwise. */
export function capturedIo(
  cwd: string,
  given: Partial<CommandIo> & {
    readonly stdin?: string;
    readonly answer?: string;
    readonly secret?: string;
  } = {},
): CapturedIo {
  let stdout = "";
  let stderr = "";
  const signals: NodeJS.Signals[] = [];
  const { stdin = "", answer = "", secret = "", ...others } = given;
  return {
    out: (data) => {
      stdout += data;
    },
    say: (line) => {
      stderr += `${line}\n`;
    },
    readStdin: async () => stdin,
    ask: async () => answer,
    askSecret: async () => secret,
    outliveReaders: () => {},
    untilStopped: async () => {},
    endBySignal: (signal) => {
      signals.push(signal);
      return 128;
    },
    env: {},
    cwd,
    self: "thoughtflow",
    interactive: false,
    terminal: false,
    ...others,
    stdout: () => stdout,
    stderr: () => stderr,
    signals,
  };
}
