import { fromExactJson } from "@thoughtflow/schema/exact-json";
import { listOf } from "../plain-values.ts";
import type { SourceFile, SourceLine } from "../source-file.ts";

/** Whether a file's first line may begin an array. */
export function beginsArray({ text }: SourceLine): boolean {
  return text.trimStart().startsWith("[");
}

/** What `--output-format json --verbose` writes, one array, as a file with one record a line; `undefined` of what is none. */
export async function arrayIn(file: SourceFile): Promise<SourceFile | undefined> {
  const read = async () => parsed(await file.text());
  if (!Array.isArray(await read())) return undefined;
  const records = async () => listOf(await read()).map((record) => JSON.stringify(record));
  const lines = async function* (): AsyncGenerator<SourceLine> {
    for (const [at, text] of (await records()).entries())
      yield { number: at + 1, text, ended: true };
  };
  return { ...file, text: async () => (await records()).join("\n"), lines, lastLines: lines };
}

function parsed(text: string): unknown {
  try {
    return fromExactJson(text);
  } catch {
    return undefined;
  }
}

/** Several files as one, the records numbered through. */
export function joinedFile(files: readonly SourceFile[]): SourceFile {
  const [first] = files;
  const last = files.at(-1);
  if (first === undefined || last === undefined) throw new Error("no files to join");
  return {
    ...first,
    text: async () => (await Promise.all(files.map((file) => file.text()))).join("\n"),
    lastLines: () => last.lastLines(),
    async *lines() {
      let before = 0;
      for (const file of files) {
        let number = before;
        for await (const line of file.lines()) {
          number = before + line.number;
          yield { ...line, number };
        }
        before = number;
      }
    },
  };
}
