import type { Session } from "@thoughtflow/schema";
import { createStepIndex } from "@thoughtflow/schema/steps";
import { oneLine, snippet } from "./clean-text.ts";
import { edgesOf } from "./step-edges.ts";

/** What an edge says that leads to the session from a step of another one. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["continues", "goes on from"],
  ["subagent_spawn", "asked for by"],
]);

/** `<trace id>/<step id>`, as the steps of other sessions are named. */
const elsewhere = /^[0-9a-f]{32}\/(.+)$/s;

/** `goes on from s_a9b63000b5589c13 of another session`: by the first step of each kind; the id is what `why` takes. */
export function otherSessionsOf(session: Session): readonly string[] {
  const index = createStepIndex(session);
  const steps = new Map<string, Set<string>>();
  for (const run of session.conversations)
    for (const step of run.steps)
      for (const { to, type } of edgesOf(step)) {
        const words = WORDS.get(type);
        const id = words === undefined ? undefined : elsewhere.exec(to)?.[1];
        if (words === undefined || id === undefined || index(to, run) !== undefined) continue;
        steps.set(words, (steps.get(words) ?? new Set()).add(id));
      }
  return [...steps].map(([words, [first = "", ...more]]) => {
    const others = more.length === 0 ? "" : `, and ${more.length} more`;
    return `${words} ${snippet(oneLine(first), 60)} of another session${others}`;
  });
}
