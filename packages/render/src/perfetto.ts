import type { Session, Step } from "@thoughtflow/schema";
import { createStepIndex } from "@thoughtflow/schema/steps";
import { runHeading } from "./flow-title.ts";
import { nestedRows } from "./nested-rows.ts";
import { printableJson } from "./printable-json.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { kindOf } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepSummary } from "./step-summary.ts";
import { momentOf } from "./step-times.ts";
import { agentNamesOf } from "./thread-entries.ts";

/** The steps as trace events for ui.perfetto.dev and chrome://tracing: a process a run, a thread an agent, and more for what it did at the same time. */
export const perfetto: Renderer = {
  name: "perfetto",
  mediaType: "application/json",
  fileExtension: ".traceevents",
  render: renderPerfetto,
};

/** Of a millisecond. */
export const MICROSECONDS = 1000;

function renderPerfetto(session: Session, { run: only }: RenderOptions = {}): string {
  const names = agentNamesOf(session);
  const threadOf = createThreads();
  const events: object[] = [];
  const slices = new Map<Step, Slice>();
  for (const [at, run] of session.conversations.entries()) {
    if (only !== undefined && run.conversation_id !== only) continue;
    const pid = at + 1;
    events.push(meta("process_name", pid, 0, `Run ${pid}: ${runHeading(run, 60)}`));
    const timed = run.steps.flatMap(timesOf);
    const rows = nestedRows(timed, agentOf);
    const seen = new Set<number>();
    for (const one of timed) {
      const { step, start, end } = one;
      const [agent, row] = [agentOf(one), rows.get(one) ?? 0];
      const tid = threadOf(agent, row);
      if (!seen.has(tid)) {
        const name = names.get(agent) ?? (agent || "steps");
        events.push(meta("thread_name", pid, tid, threadName(name, row)));
        seen.add(tid);
      }
      const { step_id, label, status, depends_on, usage } = step;
      slices.set(step, { pid, tid, start, end });
      const mark = stepState(step) === "error" ? "✗ " : "";
      events.push({
        ph: "X",
        pid,
        tid,
        ts: start,
        dur: end - start,
        cat: kindOf(step),
        name: mark + (stepSummary(step, 80) || label),
        args: { step_id, label, status, depends_on, usage },
      });
    }
  }
  return traceEvents([...events, ...flowsBetween(session, slices)]);
}

/** A step that tells when it was, in microseconds. */
interface TimedStep {
  readonly step: Step;
  readonly start: number;
  readonly end: number;
}

function timesOf(step: Step): readonly TimedStep[] {
  const moment = momentOf(step.started_at);
  if (moment === undefined) return [];
  const start = moment * MICROSECONDS;
  return [{ step, start, end: start + Math.max(0, step.duration_ms ?? 0) * MICROSECONDS }];
}

function agentOf({ step }: TimedStep): string {
  return step.agent_id ?? "";
}

/** Numbers threads in the order in which they are met: one an agent, and one more for each row of what it did at the same time. */
export function createThreads(): (agent: string, row: number) => number {
  const threads = new Map<string, number>();
  return (agent, row) => {
    const key = `${row} ${agent}`;
    const known = threads.get(key) ?? threads.size + 1;
    threads.set(key, known);
    return known;
  };
}

/** `Explore`, `Explore (2)`. */
export function threadName(agent: string, row: number): string {
  return row === 0 ? agent : `${agent} (${row + 1})`;
}

/** Where a step is drawn, in microseconds. */
export interface Slice {
  readonly pid: number;
  readonly tid: number;
  readonly start: number;
  readonly end: number;
}

/** An arrow into a slice from another one, which it leaves before the other begins; where clocks tell it the other way round, once both have begun. */
export function flow(
  id: number,
  name: string,
  from: Slice,
  to: Slice,
  args: object = {},
): readonly object[] {
  const told = { id, cat: name, name, args };
  const ts = Math.max(from.start, Math.min(from.end, to.start));
  return [
    { ...told, pid: from.pid, ph: "s", tid: from.tid, ts },
    { ...told, pid: to.pid, ph: "f", bp: "e", tid: to.tid, ts: Math.max(ts, to.start) },
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
