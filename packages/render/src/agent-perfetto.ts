import type { AgentGraph } from "./agent-graph.ts";
import { flow, MICROSECONDS, meta, type Slice, traceEvents } from "./perfetto.ts";

/** The requests of a workflow as trace events: a thread an agent, and flows from the requests that asked for an agent to its first. */
export function agentsAsPerfetto({ agents, edges }: AgentGraph, name: string): string {
  const pid = 1;
  const events: object[] = [meta("process_name", pid, 0, name)];
  const places = new Map<string, Slice>();
  for (const [at, { label, requests }] of agents.entries()) {
    const tid = at + 1;
    events.push(meta("thread_name", pid, tid, label));
    for (const { id, start, duration, label: words, isError } of requests) {
      if (start === undefined) continue;
      const ts = start * MICROSECONDS;
      const dur = Math.min(Math.max(duration, 0) * MICROSECONDS, Number.MAX_SAFE_INTEGER);
      places.set(id, { pid, tid, start: ts, end: ts + dur });
      const args = { request: id, ...(isError && { status: "error" }) };
      events.push({
        ph: "X",
        pid,
        tid,
        ts,
        dur,
        cat: "request",
        name: isError ? `✗ ${words}` : words,
        args,
      });
    }
  }
  for (const [id, { source, target, type, confidence }] of edges.entries()) {
    const [from, to] = [places.get(source), places.get(target)];
    if (type === "sequential" || from === undefined || to === undefined) continue;
    events.push(...flow(id, type, from, to, { confidence }));
  }
  return traceEvents(events);
}
