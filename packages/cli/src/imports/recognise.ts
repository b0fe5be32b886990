import type { ImportFormat } from "./import-format.ts";
import { ImportProblem } from "./import-format.ts";
import type { SourceFile } from "./source-file.ts";

/** So many lines tell what a file is, whatever is broken in them. */
const FIRST_LINES = 200;

/** The files that are of a format; throws `ImportProblem` when none is. The others are counted. */
export async function filesOfFormat(
  files: readonly SourceFile[],
  { recognise, what }: Pick<ImportFormat, "recognise" | "what">,
  lost: (kind: string) => void,
): Promise<readonly SourceFile[]> {
  const own: SourceFile[] = [];
  let isEmpty = true;
  for (const file of files) {
    const values = await firstValues(file);
    if (values !== undefined) isEmpty = false;
    if (values?.some(recognise)) own.push(file);
    else lost(values === undefined ? "empty file" : `file that is not ${what}`);
  }
  if (own.length > 0) return own;
  throw new ImportProblem(isEmpty ? "it is empty" : `it is not ${what}`);
}

/** What the files are instead: the first format that knows one of them. */
export async function recognisedFormat(
  files: readonly SourceFile[],
  formats: Readonly<Record<string, ImportFormat>>,
): Promise<{ readonly name: string; readonly format: ImportFormat } | undefined> {
  for (const file of files) {
    const values = (await firstValues(file)) ?? [];
    for (const [name, format] of Object.entries(formats))
      if (values.some(format.recognise)) return { name, format };
  }
  return undefined;
}

/** The values of a file's first lines, or the one that all of it is; `undefined` when there is nothing in it. */
async function firstValues(file: SourceFile): Promise<readonly unknown[] | undefined> {
  const values: unknown[] = [];
  let lines = 0;
  for await (const { text, number } of file.lines()) {
    lines++;
    if (number > FIRST_LINES) break;
    const value = parsed(text);
    if (typeof value === "object" && value !== null) values.push(value);
  }
  if (lines === 0) return undefined;
  const whole =
    values.length > 0 || lines > FIRST_LINES * 1000 ? undefined : parsed(await file.text());
  return whole === undefined ? values : [whole];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
