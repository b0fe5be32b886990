import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileNameOf } from "@thoughtflow/journal";
import { keepRecords } from "@thoughtflow/processor/records";
import { plainText } from "@thoughtflow/render";
import type { FlowRecord } from "@thoughtflow/schema";
import type { Command, CommandArguments } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { ExitCode } from "../exit-code.ts";
import { flowDirectory } from "../flow-directory.ts";
import { createBackendClient } from "../imports/backend-client.ts";
import { createImportReport } from "../imports/create-import-report.ts";
import {
  type ImportFormat,
  ImportProblem,
  type ImportReport,
  type PullFormat,
} from "../imports/import-format.ts";
import { createImportProgress, type ImportProgress } from "../imports/import-progress.ts";
import { IMPORT_FORMATS } from "../imports/index.ts";
import { keepHeapSmall } from "../imports/small-heap.ts";
import {
  filesBelow,
  isDirectory,
  type SourceFile,
  sourceFile,
  sourceText,
} from "../imports/source-file.ts";
import { addressOf, CHOICE_OPTIONS, choiceOf } from "../imports/trace-choice-options.ts";
import { nearestMatch } from "../nearest-match.ts";
import { useOwnPrices } from "../own-prices.ts";
import { shownPath } from "../shown-path.ts";

const FORMATS = Object.entries(IMPORT_FORMATS).map(([name, { summary }]) => `${name} (${summary})`);

export const importFile: Command = {
  operands: "<format> <file|directory|url|->",
  count: { min: 2, max: 2 },
  options: {
    out: {
      value: "DIR",
      summary: `where the sessions go; default: the flow directory. Formats: ${FORMATS.join("; ")}`,
    },
    dir: {
      value: "DIR",
      summary: "the flow directory; default THOUGHTFLOW_DIR, else ./thoughtflow",
    },
    ...CHOICE_OPTIONS,
  },
  async run(args, io) {
    const [name = "", word = ""] = args.positionals;
    const format = formatOf(name);
    const isUrl = /^https?:\/\//.test(word);
    const progress = createImportProgress((line) => io.say(line));
    const read = isUrl
      ? pullFrom(word, name, format, args)
      : await readFrom(word, format, io, progress);
    const out = args.text("out");
    const dir = out === undefined ? flowDirectory(args, io) : resolve(io.cwd, out);
    await useOwnPrices(io);
    const report = createImportReport((line) => io.say(plainText(line)));
    const onSession = (id: string): void =>
      io.say(`${shownPath(join(dir, `${fileNameOf(id)}.json`), io.cwd)} .d2 .svg`);
    try {
      keepHeapSmall();
      const records = report.masked(read(report));
      const { failed } = await keepRecords(dir, records, { onSession });
      progress.done();
      report.sayLosses();
      for (const { sessionId, problem } of failed)
        io.say(`The files of ${sessionId} could not be written: ${messageOf(problem)}.`);
      return failed.length === 0 ? ExitCode.ok : ExitCode.failure;
    } catch (error) {
      const shown = isUrl || word === "-" ? word : shownPath(resolve(io.cwd, word), io.cwd);
      if (error instanceof ImportProblem)
        throw new CommandError(
          isUrl
            ? `${word}: ${error.message}.`
            : `${shown === "-" ? "stdin" : shown} is nothing that ${name} wrote: ${error.message}.`,
        );
      throw new CommandError(`${shown} can't be imported into ${dir}: ${messageOf(error)}`);
    }
  },
};

function formatOf(name: string): ImportFormat {
  const format = Object.hasOwn(IMPORT_FORMATS, name) ? IMPORT_FORMATS[name] : undefined;
  if (format !== undefined) return format;
  const known = Object.keys(IMPORT_FORMATS);
  const like = nearestMatch(name, known);
  throw badArguments(
    `import knows no format "${name}".${like === undefined ? "" : ` Did you mean ${like}?`} It reads: ${known.join(", ")}.`,
  );
}

/** What is asked of a backend, as the options say. */
function pullFrom(
  word: string,
  name: string,
  format: ImportFormat | PullFormat,
  args: CommandArguments,
): (report: ImportReport) => AsyncIterable<FlowRecord> {
  if (!("pull" in format)) throw badArguments(`import ${name} reads files; ${word} is an address.`);
  const choice = choiceOf(args);
  const client = createBackendClient(addressOf(word), args.text("header"));
  return (report) => format.pull(client, choice, report);
}

async function readFrom(
  word: string,
  format: ImportFormat,
  io: CommandIo,
  progress: ImportProgress,
): Promise<(report: ImportReport) => AsyncIterable<FlowRecord>> {
  const files = await filesOf(word, format, io, progress);
  return (report) => format.read(files, report);
}

const isJson = (name: string): boolean => /\.jsonl?$/.test(name);

/** What a word on the command line means: stdin, a file with those that belong to it, or all files below a directory. */
async function filesOf(
  word: string,
  { takes = isJson, besides }: ImportFormat,
  io: CommandIo,
  progress: ImportProgress,
): Promise<readonly SourceFile[]> {
  if (word === "-") return [sourceText(await io.readStdin(), "stdin")];
  const path = resolve(io.cwd, word);
  const shown = shownPath(path, io.cwd);
  try {
    const whole = await isDirectory(path);
    const paths = whole
      ? await filesBelow(path, takes)
      : [path, ...((await besides?.(path)) ?? [])];
    if (paths.length === 0) throw new CommandError(`${shown} holds no file of this format.`);
    const root = whole ? path : dirname(path);
    for (const one of paths) progress.expect((await stat(one)).size);
    return paths.map((one) => sourceFile(one, relative(root, one), progress.read));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${shown} can't be read: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
