import type { SpanRecord } from "@thoughtflow/schema";
import type { thoughtProblems } from "@thoughtflow/thoughts/schemas";
import {
  placeThoughts,
  readThoughtbox,
  recordsFromThoughtbox,
  type ThoughtboxSession,
} from "@thoughtflow/thoughts/thoughtbox";
import { type ImportFormat, ImportProblem, type ImportReport } from "./import-format.ts";
import { jsonOf } from "./json-of.ts";
import { isObject, membersOf, type PlainObject } from "./plain-values.ts";

/** Warnings of one kind are named up to here, the rest is counted. */
const NAMED = 5;

export const thoughtbox: ImportFormat = {
  summary: "an exported session of Thoughtbox: thoughts, branches, revisions",
  what: "an exported session of Thoughtbox",
  recognise: (value) => isThoughtbox(membersOf(value)),
  async *read(files, report) {
    // Loads zod, which other formats need not wait for.
    const { thoughtProblems } = await import("@thoughtflow/thoughts/schemas");
    for (const file of files) {
      const result = readThoughtbox(jsonOf(await file.text()));
      if (!result.ok) throw new ImportProblem(result.problem);
      const { session, warnings } = result;
      const broken = brokenIn(session, thoughtProblems);
      const rest = broken.length - NAMED;
      for (const line of [
        ...warnings,
        ...broken.slice(0, NAMED),
        ...(rest > 0 ? [`${rest} more are not as they should be; kept`] : []),
      ])
        report.warn(`${file.name}: ${line}`);
      for (const record of recordsFromThoughtbox(session)) yield masked(record, report);
    }
  },
};

function isThoughtbox({ session, nodes, thoughts }: PlainObject): boolean {
  return (
    (isObject(session) && Array.isArray(nodes)) || (Array.isArray(thoughts) && isObject(session))
  );
}

/** Fields that their type wants otherwise, and references to thoughts that are not there. */
function brokenIn(
  session: ThoughtboxSession,
  problemsOf: typeof thoughtProblems,
): readonly string[] {
  return [
    ...session.thoughts.flatMap(({ thought }, index) =>
      problemsOf(givenOf(thought)).map(
        ({ path, message }) => `thoughts[${index}].${path.join(".")}: ${message}; kept as it is`,
      ),
    ),
    ...placeThoughts(session).flatMap(({ position, problems }) =>
      problems.map((problem) => `thoughts[${position}].${problem}; kept, with a tie to nothing`),
    ),
  ];
}

/** What a thought says by our names; some programs write null for what they don't say. */
function givenOf(thought: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(thought).filter(([, value]) => value !== null);
  const fields = Object.fromEntries(given);
  return { ...fields, thought_type: fields["thoughtType"] };
}

function masked(record: SpanRecord, report: ImportReport): SpanRecord {
  const content = Object.entries(record.content ?? {}).map(([name, text]) => [
    name,
    typeof text === "string" ? report.content(JSON.parse(text), name) : text,
  ]);
  return { ...record, content: Object.fromEntries(content) };
}
