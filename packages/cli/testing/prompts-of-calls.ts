import { assemble } from "@thoughtflow/assemble";
import { promptOf } from "@thoughtflow/provenance";
import type { FlowRecord } from "@thoughtflow/schema";

/** What each model call of some records was sent, in order: the text of each part, that of policies behind `#`. */
export function promptsOfCalls(records: readonly FlowRecord[]): readonly (readonly string[])[] {
  return assemble(records).flatMap((session) =>
    session.conversations.flatMap((run) =>
      run.steps
        .filter(({ label }) => label === "assistant_call")
        .map((step) =>
          promptOf(session, { run, step }).segments.map(({ type, text }) =>
            type === "policy" ? `# ${text}` : text,
          ),
        ),
    ),
  );
}
