import type { Run, Session, Step } from "@thoughtflow/schema";
import { createStepIndex, dependenciesOf, type PlacedStep } from "@thoughtflow/schema/steps";

/** What rests on something, in one session. */
export interface ImpactOfSession {
  readonly session: Session;
  /** Where the subject itself stands: its steps, or the model calls whose prompt it is a part of. */
  readonly subjects: readonly PlacedStep[];
  /** Every step that rests on it, at once or over others, in the order of the document. */
  readonly steps: readonly PlacedStep[];
}

/**
 * Every later step that rests on a subject, over all the sessions. The subject is a step id (`<run id>/<step id>` where
 * it is needed), a snapshot's id or version, or the beginning of one with at least four hex digits, the id of an
 * adaptation, or the id, version, hash or type of a prompt part. Sessions without it are left out.
 */
export function impactOf(
  sessions: readonly Session[],
  subject: string,
): readonly ImpactOfSession[] {
  const flows = sessions.map((session) => ({ session, graph: graphOf(session) }));
  const subjects = new Map(flows.map(({ session }) => [session, subjectsIn(session, subject)]));
  const affected = new Map<Session, Set<Step>>();
  /** `<trace id>/<step id>` of what other sessions may rest on. */
  const abroad = new Set(
    [...subjects.values()]
      .flat()
      .map(({ placed: { run, step } }) => `${run.trace_id}/${step.step_id}`),
  );
  let growing = true;
  while (growing) {
    growing = false;
    for (const { session, graph } of flows) {
      const known = affected.get(session) ?? new Set();
      affected.set(session, known);
      const starts = (subjects.get(session) ?? []).flatMap(({ placed, rests }) => {
        if (!rests) return dependentsOf(graph, placed.step);
        return [placed.step];
      });
      const size = known.size;
      spread(
        graph,
        [...starts, ...graph.foreign.filter(([, to]) => abroad.has(to)).map(([step]) => step)],
        known,
      );
      if (known.size === size) continue;
      growing = true;
      for (const step of known) {
        const trace = graph.runs.get(step)?.trace_id;
        if (trace !== undefined) abroad.add(`${trace}/${step.step_id}`);
      }
    }
  }
  return flows.flatMap(({ session, graph }): ImpactOfSession[] => {
    const own = (subjects.get(session) ?? []).map(({ placed }) => placed);
    const steps = affected.get(session) ?? new Set();
    if (own.length === 0 && steps.size === 0) return [];
    const placed = [...graph.runs].filter(([step]) => steps.has(step));
    return [{ session, subjects: own, steps: placed.map(([step, run]) => ({ run, step })) }];
  });
}

interface Graph {
  /** Every step, in the order of the document, with its run. */
  readonly runs: ReadonlyMap<Step, Run>;
  readonly dependents: ReadonlyMap<Step, readonly Step[]>;
  /** What rests on steps of other sessions. */
  readonly foreign: readonly (readonly [step: Step, to: string])[];
}

function graphOf(session: Session): Graph {
  const index = createStepIndex(session);
  const runs = new Map<Step, Run>();
  const dependents = new Map<Step, Step[]>();
  const foreign: [Step, string][] = [];
  for (const run of session.conversations) {
    for (const step of run.steps) {
      runs.set(step, run);
      for (const id of dependenciesOf(step)) {
        const target = index(id, run)?.step;
        if (target === undefined) {
          foreign.push([step, id]);
          continue;
        }
        const known = dependents.get(target);
        if (known === undefined) dependents.set(target, [step]);
        else known.push(step);
      }
    }
  }
  return { runs, dependents, foreign };
}

function dependentsOf({ dependents }: Graph, step: Step): readonly Step[] {
  return dependents.get(step) ?? [];
}

function spread(graph: Graph, starts: readonly Step[], known: Set<Step>): void {
  const pending = starts.filter((step) => !known.has(step));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (known.has(next)) continue;
    known.add(next);
    for (const one of dependentsOf(graph, next)) pending.push(one);
  }
}

interface Subject {
  readonly placed: PlacedStep;
  /** True for a model call that the subject is a part of: it rests on it itself. */
  readonly rests: boolean;
}

function subjectsIn({ conversations }: Session, subject: string): Subject[] {
  return conversations.flatMap((run) =>
    run.steps.flatMap((step): Subject[] => {
      if (isNamed(run, step, subject)) return [{ placed: { run, step }, rests: false }];
      return hasPart(step, subject) ? [{ placed: { run, step }, rests: true }] : [];
    }),
  );
}

const BEGINNING = /_[0-9a-f]{4,15}$/;

function isNamed(run: Run, step: Step, subject: string): boolean {
  const { step_id: id, aliases, payload_started: started, payload_completed: completed } = step;
  if (id === subject || aliases?.includes(subject) || `${run.conversation_id}/${id}` === subject) {
    return true;
  }
  if (started?.["version"] === subject) return true;
  const included = completed?.["included_ids"];
  if (Array.isArray(included) && included.includes(subject)) return true;
  return BEGINNING.test(subject) && id.startsWith(subject);
}

function hasPart({ payload_started: started }: Step, subject: string): boolean {
  const provenance = started?.["prompt_provenance"] as { readonly parts?: unknown } | undefined;
  const parts = provenance?.parts;
  return Array.isArray(parts) && parts.some((part) => isPart(part, subject));
}

function isPart(part: unknown, subject: string): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { type, id, version, hash } = part as Readonly<Record<string, unknown>>;
  return [type, id, version, hash].includes(subject);
}
