import type { ExportedRun, PlacedRun } from "./exported-run.ts";

/** In which traces runs stand. */
export interface RunTraces {
  /** The run in the trace that it names; `undefined` of one that names none, but a run above it: it waits. */
  placed(run: ExportedRun): PlacedRun | undefined;
  /** Those that waited, each in the trace of what stands above it. Once all runs were told. */
  waited(): readonly PlacedRun[];
}

/** What stands above a run may be told after it. */
export function createRunTraces(): RunTraces {
  /** By run. */
  const traces = new Map<string, string>();
  const waiting: ExportedRun[] = [];

  /** Of runs that nobody told, the outermost is the trace. */
  function traceOf(run: ExportedRun, parents: ReadonlyMap<string, string | undefined>): string {
    const below = new Set<string>();
    let at = run.id;
    while (!traces.has(at)) {
      below.add(at);
      const parent = parents.get(at);
      if (parent === undefined || below.has(parent)) break;
      at = parent;
    }
    const trace = traces.get(at) ?? at;
    for (const id of below) traces.set(id, trace);
    return trace;
  }

  return {
    placed(run) {
      if (run.traceId === undefined && run.parentId !== undefined) {
        waiting.push(run);
        return undefined;
      }
      const { id, traceId = id } = run;
      traces.set(id, traceId);
      return { ...run, traceId };
    },
    waited() {
      const parents = new Map(waiting.map(({ id, parentId }) => [id, parentId]));
      return waiting.map((run) => ({ ...run, traceId: traceOf(run, parents) }));
    },
  };
}
