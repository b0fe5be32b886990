import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { assemble, largeTexts, withoutLargeTexts } from "@thoughtflow/assemble";
import { fileNameOf, writeDocument } from "@thoughtflow/journal";
import { plainText, renderers } from "@thoughtflow/render";
import { canonicalChunks, type Session } from "@thoughtflow/schema";
import type { Command } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { ExitCode } from "../exit-code.ts";
import { flowDirectory } from "../flow-directory.ts";
import type { ImportFormat } from "../imports/import-format.ts";
import { IMPORT_FORMATS } from "../imports/index.ts";
import { nearestMatch } from "../nearest-match.ts";
import { shownPath } from "../shown-path.ts";

const FORMATS = Object.entries(IMPORT_FORMATS).map(([name, { summary }]) => `${name} (${summary})`);

export const importFile: Command = {
  operands: "<format> <file|->",
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
  },
  async run(args, io) {
    const [name = "", word = ""] = args.positionals;
    const format = formatOf(name);
    const { shown, text } = await readSource(word, io);
    const imported = format.read(text);
    if (!imported.ok)
      throw new CommandError(`${shown} is nothing that ${name} wrote: ${imported.problem}.`);
    for (const warning of imported.warnings) io.say(`${shown}: ${plainText(warning)}`);
    const out = args.text("out");
    const dir = out === undefined ? flowDirectory(args, io) : resolve(io.cwd, out);
    for (const session of assemble(imported.records)) await writeSession(session, dir, io);
    return ExitCode.ok;
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

async function readSource(
  word: string,
  io: CommandIo,
): Promise<{ readonly shown: string; readonly text: string }> {
  if (word === "-") return { shown: "stdin", text: await io.readStdin() };
  const path = resolve(io.cwd, word);
  try {
    return { shown: shownPath(path, io.cwd), text: await readFile(path, "utf8") };
  } catch (error) {
    throw new CommandError(`${shownPath(path, io.cwd)} can't be read: ${(error as Error).message}`);
  }
}

/** The session's files, as an app would have left them. */
async function writeSession(session: Session, dir: string, io: CommandIo): Promise<void> {
  const name = fileNameOf(session.session_id);
  for (const { sha256, text } of largeTexts(session))
    await write(join(dir, "blobs"), sha256, [text]);
  await write(dir, `${name}.json`, canonicalChunks(session, withoutLargeTexts));
  await write(dir, `${name}.d2`, [renderers.d2.render(session)]);
  await write(dir, `${name}.svg`, [renderers.svg.render(session)]);
  io.say(`${shownPath(join(dir, `${name}.json`), io.cwd)} .d2 .svg`);
}

async function write(dir: string, name: string, chunks: Iterable<string>): Promise<void> {
  const result = await writeDocument(dir, name, chunks);
  if (!result.written)
    throw new CommandError(`${join(dir, name)} can't be written: ${result.code}`);
}
