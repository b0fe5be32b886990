import { thoughtProblems } from "@thoughtflow/thoughts/schemas";
import { readThoughtbox, recordsFromThoughtbox } from "@thoughtflow/thoughts/thoughtbox";
import type { ImportFormat } from "./import-format.ts";

/** Warnings of one kind are named up to here, the rest is counted. */
const NAMED = 5;

export const thoughtbox: ImportFormat = {
  summary: "an exported session of Thoughtbox: thoughts, branches, revisions",
  read(text) {
    const json = parsed(text);
    if (!json.ok) return json;
    const result = readThoughtbox(json.value);
    if (!result.ok) return result;
    const { session, warnings } = result;
    const broken = session.thoughts.flatMap(({ thought }, index) =>
      thoughtProblems({ ...thought, thought_type: thought["thoughtType"] }).map(
        ({ path, message }) => `thoughts[${index}].${path.join(".")}: ${message}; kept as it is`,
      ),
    );
    const rest = broken.length - NAMED;
    return {
      ok: true,
      records: recordsFromThoughtbox(session),
      warnings: [
        ...warnings,
        ...broken.slice(0, NAMED),
        ...(rest > 0 ? [`${rest} more fields are not as their type wants them; kept`] : []),
      ],
    };
  },
};

function parsed(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; problem: string } {
  try {
    return { ok: true, value: JSON.parse(text.replace(/^\uFEFF/, "")) };
  } catch (error) {
    return { ok: false, problem: `it is no JSON: ${(error as Error).message}` };
  }
}
