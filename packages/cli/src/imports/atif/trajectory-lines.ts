import type { ImportReport } from "../import-format.ts";
import { isOfLines, jsonLines } from "../json-lines.ts";
import { type SourceFile, sourceText } from "../source-file.ts";
import { isAtif } from "./recognise.ts";

/** Files with a trajectory a line, as data sets have them, as a file for each; others as they are. */
export async function filesOfTrajectories(
  files: readonly SourceFile[],
  report: Pick<ImportReport, "lost">,
): Promise<readonly SourceFile[]> {
  const all: SourceFile[] = [];
  for (const file of files) {
    if (!(await isOfLines(file))) {
      all.push(file);
      continue;
    }
    for await (const line of jsonLines(file)) {
      if ("record" in line && isAtif(line.record))
        all.push(sourceText(line.text, `${file.name}:${line.number}`));
      else report.lost("line that is not a trajectory in ATIF");
    }
  }
  return all;
}
