import type { Session, Step } from "@thoughtflow/schema";
import { createStepIndex } from "@thoughtflow/schema/steps";
import { printableJson } from "./printable-json.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { kindOf } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
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
  const slices = new Map<Step, Slice>();
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
      const ts = start * MICROSECONDS;
      const dur = (step.duration_ms ?? 0) * MICROSECONDS;
      slices.set(step, { pid, tid, start: ts, end: ts + Math.max(0, dur) });
      const mark = stepState(step) === "error" ? "✗ " : "";
      events.push({
        ph: "X",
        pid,
        tid,
        ts,
        dur,
        cat: kindOf(step),
        name: mark + (stepSummary(step, 80) || label),
        args: { step_id, label, status, depends_on, usage },
      });
    }
  }
  return traceEvents([...events, ...flowsBetween(session, slices)]);
}

/** Where a step is drawn, in microseconds. */
export interface Slice {
  readonly pid: number;
  readonly tid: number;
  readonly start: number;
  readonly end: number;
}

/** An arrow into a slice from another one, which it leaves before the other begins. */
export function flow(
  id: number,
  name: string,
  from: Slice,
  to: Slice,
  args: object = {},
): readonly object[] {
  const told = { id, cat: name, name, args };
  return [
    { ...told, pid: from.pid, ph: "s", tid: from.tid, ts: Math.min(from.end, to.start) },
    { ...told, pid: to.pid, ph: "f", bp: "e", tid: to.tid, ts: to.start },
  ];
}

/** From what asked for an agent, or is continued, to its first step. */
const FLOWS: ReadonlySet<string> = new Set(["subagent_spawn", "handoff", "continues"]);

function flowsBetween(session: Session, slices: ReadonlyMap<Step, Slice>): readonly object[] {
  const index = createStepIndex(session);
  const flows: object[] = [];
  for (const run of session.conversations) {
    for (const step of run.steps) {
      const to = slices.get(step);
      for (const { type, to: name, confidence } of to === undefined ? [] : (step.edges ?? [])) {
        if (!FLOWS.has(type)) continue;
        const source = index(name, run)?.step;
        const from = source && slices.get(source);
        if (from === undefined || to === undefined) continue;
        const args = confidence === undefined ? {} : { confidence };
        flows.push(...flow(flows.length, type, from, to, args));
      }
    }
  }
  return flows;
}

/** The file of these events. */
export function traceEvents(events: readonly object[]): string {
  return `${printableJson(JSON.stringify({ displayTimeUnit: "ms", traceEvents: events }))}\n`;
}

/** Names a process or a thread. */
export function meta(name: string, pid: number, tid: number, text: string): object {
  return { ph: "M", pid, tid, name, args: { name: text } };
}
