import type { Session, Step } from "@thoughtflow/schema";
import { printableJson } from "./printable-json.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { kindOf } from "./step-kind.ts";
import { stepSummary } from "./step-summary.ts";
import { momentOf } from "./step-times.ts";

/** The steps as trace events for ui.perfetto.dev and chrome://tracing: a process a run, a thread an agent. */
export const perfetto: Renderer = {
  name: "perfetto",
  mediaType: "application/json",
  fileExtension: ".traceevents",
  render: renderPerfetto,
};

/** Of a millisecond. */
export const MICROSECONDS = 1000;

function renderPerfetto(session: Session, { run: only }: RenderOptions = {}): string {
  const names = new Map((session.agents ?? []).map(({ agent_id, name }) => [agent_id, name]));
  const threads = new Map<string, number>();
  const threadOf = ({ agent_id = "" }: Step): number => {
    const known = threads.get(agent_id) ?? threads.size + 1;
    threads.set(agent_id, known);
    return known;
  };
  const events: object[] = [];
  for (const [at, run] of session.conversations.entries()) {
    if (only !== undefined && run.conversation_id !== only) continue;
    const pid = at + 1;
    events.push(meta("process_name", pid, 0, run.name ?? run.conversation_id));
    const seen = new Set<number>();
    for (const step of run.steps) {
      const start = momentOf(step.started_at);
      if (start === undefined) continue;
      const tid = threadOf(step);
      if (!seen.has(tid)) {
        const { agent_id: id = "" } = step;
        events.push(meta("thread_name", pid, tid, names.get(id) ?? (id || "steps")));
        seen.add(tid);
      }
      const { step_id, label, status, depends_on, usage } = step;
      events.push({
        ph: "X",
        pid,
        tid,
        ts: start * MICROSECONDS,
        dur: (step.duration_ms ?? 0) * MICROSECONDS,
        cat: kindOf(step),
        name: stepSummary(step, 80) || label,
        args: { step_id, label, status, depends_on, usage },
      });
    }
  }
  return traceEvents(events);
}

/** The file of these events. */
export function traceEvents(events: readonly object[]): string {
  return `${printableJson(JSON.stringify({ displayTimeUnit: "ms", traceEvents: events }))}\n`;
}

/** Names a process or a thread. */
export function meta(name: string, pid: number, tid: number, text: string): object {
  return { ph: "M", pid, tid, name, args: { name: text } };
}
