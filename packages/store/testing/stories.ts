import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { asks, callOf, gives, recordOf, say } from "../../assemble/testing/record-of.ts";

const question = say("user", "How warm is it in Perth?");
const request = say("assistant", asks("call_1", "weather", { city: "Perth" }));
const answer = say("assistant", "18 degrees.");

/** A model call's attributes with what it used. */
function used(input: number, output: number, more: Record<string, string> = {}) {
  return {
    "gen_ai.usage.input_tokens": input,
    "gen_ai.usage.output_tokens": output,
    "gen_ai.response.model": "gpt-5-mini",
    ...more,
  };
}

/** A run of a user with two nodes, a tool loop in the first; session `s`, ids and times by seconds. */
export function weatherRun(
  trace: string,
  user: string,
  more: Partial<SpanRecord> = {},
): SpanRecord[] {
  const at = Number.parseInt(trace, 16) * 100;
  const attributes = { "session.id": `session-${trace}` };
  const id = (name: string): string => `${trace}${name}`;
  const node = (name: string, place: string, start: number, until: number): SpanRecord =>
    recordOf({
      id: id(place),
      trace,
      parent: id("1"),
      at: at + start,
      until: at + until,
      name,
      attributes: { ...attributes, "thoughtflow.step.label": "node" },
      content: { "thoughtflow.step.started": { name } },
    });
  return [
    recordOf({
      id: id("1"),
      trace,
      at,
      until: at + 10,
      name: "support",
      attributes: {
        ...attributes,
        "user.id": user,
        "thoughtflow.run.id": `SM${trace}`,
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": "support",
      },
      content: {
        "thoughtflow.run.initial_state": { input: { Body: "How warm is it in Perth?" } },
        "thoughtflow.run.final_state": { reply: "18 degrees." },
      },
      more,
    }),
    node("routeIntent", "2", 0, 6),
    callOf(
      {
        id: id("3"),
        trace,
        parent: id("2"),
        at: at + 1,
        until: at + 2,
        attributes: { ...attributes, ...used(100, 20) },
      },
      [question],
      [request],
    ),
    callOf(
      {
        id: id("4"),
        trace,
        parent: id("2"),
        at: at + 4,
        until: at + 6,
        attributes: { ...attributes, ...used(150, 7) },
      },
      [question, request, gives("call_1", "18 degrees")],
      [answer],
    ),
    node("reply", "5", 6, 9),
  ];
}

/** The same, killed in its second node: that one has no end, and a process said later what became of the run. */
export function killedRun(trace: string, user: string): FlowRecord[] {
  const [root, route, first, second, reply] = weatherRun(trace, user) as [
    SpanRecord,
    SpanRecord,
    SpanRecord,
    SpanRecord,
    SpanRecord,
  ];
  const open = ({ endTimeUnixNano: _, ...record }: SpanRecord): SpanRecord => ({
    ...record,
    type: "span_start",
  });
  return [
    open(root),
    route,
    first,
    second,
    open(reply),
    {
      type: "session",
      sessionId: `session-${trace}`,
      runKey: `${root.traceId}/${root.spanId}`,
      status: "abandoned",
      reason: "recovered_after_crash",
      timeUnixNano: reply.startTimeUnixNano,
    },
  ];
}
