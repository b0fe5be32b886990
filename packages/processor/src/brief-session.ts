import type { RunTie } from "@thoughtflow/assemble";
import type { Run, Session, Step } from "@thoughtflow/schema";

/** A long session on its way into pictures that show each run as one box. */
export interface BriefSession {
  add(runs: readonly Run[], ties: readonly RunTie[]): void;
  /** The document with runs that hold nothing but the steps by which they hang together. */
  session(head: Session): Session;
}

export function createBriefSession(): BriefSession {
  const runs = new Map<string, Run>();
  const steps = new Map<string, Step>();

  function stepAt({ run, step: id, label }: RunTie["from"]): Step | undefined {
    const key = `${run}/${id}`;
    const home = runs.get(run);
    const known = steps.get(key);
    if (known !== undefined || home === undefined) return known;
    const step: Step = { step_id: id, label };
    steps.set(key, step);
    // Lists of just that length: there may be tens of thousands.
    home.steps = home.steps.concat(step);
    return step;
  }

  return {
    add(told, ties) {
      for (const run of told) runs.set(run.conversation_id, { ...run, steps: [] });
      for (const { from, to, edge } of ties) {
        const step = stepAt(from);
        if (step === undefined || stepAt(to) === undefined) continue;
        step.edges = (step.edges ?? []).concat({ to: `${to.run}/${to.step}`, ...edge });
      }
    },
    session: (head) => ({ ...head, conversations: [...runs.values()] }),
  };
}
