import { join } from "node:path";
import { type FileSystem, namesIn } from "./file-system.ts";

/** The folder of the journals in a flow directory. */
export const JOURNAL_FOLDER = ".journal";

const SEGMENT_NAME = /^([A-Za-z0-9_-]+)(?:\.(\d{1,9}))?\.tfj$/;

/** `<writer>.tfj`, then `<writer>.2.tfj` and so on. */
export function segmentName(writer: string, segment: number): string {
  return segment === 1 ? `${writer}.tfj` : `${writer}.${segment}.tfj`;
}

/** Writer and number of a segment by its file name; `undefined` for any other file. */
function parseSegmentName(
  name: string,
): { readonly writer: string; readonly segment: number } | undefined {
  const [, writer, segment] = SEGMENT_NAME.exec(name) ?? [];
  return writer === undefined ? undefined : { writer, segment: Number(segment ?? 1) };
}

/** A file, and the writer whose records it goes on with. */
export interface SegmentPath {
  readonly path: string;
  readonly writer: string;
}

/** The segments in a flow directory, each writer's oldest first. */
export function segmentsIn(dir: string, fs: FileSystem): readonly SegmentPath[] {
  const folder = join(dir, JOURNAL_FOLDER);
  return namesIn(folder, fs)
    .flatMap((name) => {
      const parsed = parseSegmentName(name);
      return parsed === undefined ? [] : [{ path: join(folder, name), ...parsed }];
    })
    .sort((a, b) => a.segment - b.segment)
    .map(({ path, writer }) => ({ path, writer }));
}
