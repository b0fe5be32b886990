/** Everything that a command knows of the world outside its files; commands never touch `process`. */
export interface CommandIo {
  /** Data, to stdout, as it is. */
  out(text: string): void;
  /** A line for people, to stderr; `""` is an empty line. */
  say(line: string): void;
  /** All of stdin, decoded. */
  readStdin(): Promise<string>;
  /** One line typed by a person. Only to be called when `interactive`. */
  ask(question: string): Promise<string>;
  /** The same, without showing what is typed. */
  askSecret(question: string): Promise<string>;
  /** From here on the command goes on when nobody reads its output any more: it does more than to print. */
  outliveReaders(): void;
  /** Resolves when somebody asks this process to end: Ctrl-C, SIGTERM, or the end of `npx`. Asked again, it ends at once. */
  untilStopped(): Promise<void>;
  /** Ends this process as the signal would have; where that can't be, gives the exit code that shells use. */
  endBySignal(signal: NodeJS.Signals): number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How the user calls this program, to be shown in advice: `npx thoughtflow`. */
  readonly self: string;
  /** Somebody sits before it: stdin and stderr are terminals. */
  readonly interactive: boolean;
  /** Stdout is a terminal. */
  readonly terminal: boolean;
  /** Columns of the terminal, when stdout is one. */
  readonly columns?: number;
}
