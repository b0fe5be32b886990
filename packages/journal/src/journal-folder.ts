import { join } from "node:path";
import { errorCodeOf, type FileSystem } from "./file-system.ts";

/** The folder of the journals in a flow directory. */
export const JOURNAL_FOLDER = ".journal";

const SEGMENT_NAME = /^([A-Za-z0-9_-]+)(?:\.(\d{1,9}))?\.tfj$/;

/** `<writer>.tfj`, then `<writer>.2.tfj` and so on. */
export function segmentName(writer: string, segment: number): string {
  return segment === 1 ? `${writer}.tfj` : `${writer}.${segment}.tfj`;
}

/** Writer and number of a segment by its file name; `undefined` for any other file. */
export function parseSegmentName(
  name: string,
): { readonly writer: string; readonly segment: number } | undefined {
  const [, writer, segment] = SEGMENT_NAME.exec(name) ?? [];
  return writer === undefined ? undefined : { writer, segment: Number(segment ?? 1) };
}

/**
 * Makes the flow directory, if it is not there, for the user alone, with a `.gitignore` that hides all of it, and
 * the journals' folder in it. Throws when there is something else in its place, a symbolic link above all.
 */
export function makeJournalFolder(dir: string, fs: FileSystem): string {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(join(dir, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error;
  }
  const folder = join(dir, JOURNAL_FOLDER);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!fs.lstatSync(folder).isDirectory()) {
    throw Object.assign(new Error(`${folder} is no directory`), { code: "ENOTDIR" });
  }
  return folder;
}
