import { constants } from "node:os";
import { basename, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { CommandIo } from "./command-io.ts";
import { untilStopped } from "./until-stopped.ts";

/** The process's own streams, environment and directory. A reader that goes away (`| head`) ends it quietly. */
export function processIo(): CommandIo {
  let outlivesReaders = false;
  const parent = process.ppid;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!outlivesReaders) process.exit(error.code === "EPIPE" ? 0 : 1);
    });
  }
  return {
    out: (data) => process.stdout.write(data),
    say: (line) => process.stderr.write(`${line}\n`),
    readStdin: async () => {
      const [bytes, { textOfBytes }] = await Promise.all([
        buffer(process.stdin),
        import("./imports/file-bytes.ts"),
      ]);
      return textOfBytes(bytes);
    },
    ask,
    askSecret,
    outliveReaders: () => {
      outlivesReaders = true;
    },
    untilStopped: () => untilStopped(parent, process.env),
    endBySignal,
    env: process.env,
    cwd: process.cwd(),
    self: self(),
    interactive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    terminal: Boolean(process.stdout.isTTY),
    ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
  };
}

function self(): string {
  const script = process.argv[1] ?? "";
  if (/^thoughtflow(\.\w+)?$/.test(basename(script))) {
    return process.env["npm_command"] === "exec" ? "npx thoughtflow" : "thoughtflow";
  }
  return `node ${relative(process.cwd(), script)}`;
}

function endBySignal(signal: NodeJS.Signals): number {
  process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** Typed by a person: the terminal echoes nothing, and nothing but a terminal is read. */
async function askSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  const closed = new Promise<never>((_, reject) => {
    terminal.once("close", () => reject(new Error("nothing was typed")));
  });
  try {
    return await Promise.race([terminal.question(""), closed]);
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
