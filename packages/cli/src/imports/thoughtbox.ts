import type { SpanRecord } from "@thoughtflow/schema";
import { thoughtProblems } from "@thoughtflow/thoughts/schemas";
import { readThoughtbox, recordsFromThoughtbox } from "@thoughtflow/thoughts/thoughtbox";
import { type ImportFormat, ImportProblem, type ImportReport } from "./import-format.ts";
import { jsonOf } from "./json-of.ts";

/** Warnings of one kind are named up to here, the rest is counted. */
const NAMED = 5;

export const thoughtbox: ImportFormat = {
  summary: "an exported session of Thoughtbox: thoughts, branches, revisions",
  async *read(files, report) {
    for (const file of files) {
      const result = readThoughtbox(jsonOf(await file.text()));
      if (!result.ok) throw new ImportProblem(result.problem);
      const { session, warnings } = result;
      const broken = session.thoughts.flatMap(({ thought }, index) =>
        thoughtProblems({ ...thought, thought_type: thought["thoughtType"] }).map(
          ({ path, message }) => `thoughts[${index}].${path.join(".")}: ${message}; kept as it is`,
        ),
      );
      const rest = broken.length - NAMED;
      for (const line of [
        ...warnings,
        ...broken.slice(0, NAMED),
        ...(rest > 0 ? [`${rest} more fields are not as their type wants them; kept`] : []),
      ])
        report.warn(`${file.name}: ${line}`);
      for (const record of recordsFromThoughtbox(session)) yield masked(record, report);
    }
  },
};

function masked(record: SpanRecord, report: ImportReport): SpanRecord {
  const content = Object.entries(record.content ?? {}).map(([name, text]) => [
    name,
    typeof text === "string" ? report.content(JSON.parse(text), name) : text,
  ]);
  return { ...record, content: Object.fromEntries(content) };
}
