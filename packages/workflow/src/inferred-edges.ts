import type { Session, Step } from "@thoughtflow/schema";
import type { WorkflowCall } from "./workflow-calls.ts";
import type { WorkflowEdge } from "./workflow-document.ts";

/** Characters of an answer that are looked for. */
const BEGINNING = 200;
/** Shorter beginnings are found by chance. */
const LEAST = 40;
const CONFIDENCE_WHOLE = 0.95;
const CONFIDENCE_PART = 0.85;

/** Longer gaps between two requests of different agents tell nothing. */
const MOST_GAP_MS = 10_000;
const CONFIDENCE_SEQUENCE = 0.5;

/**
 * What nobody recorded and what is likely all the same: an answer that another agent was given (`content_reuse`), and an
 * agent that began as another one had just been answered (`request_sequence`).
 */
export function inferredEdges(session: Session, calls: readonly WorkflowCall[]): WorkflowEdge[] {
  return [...contentReuse(calls), ...requestSequence(session, calls)];
}

interface Answer {
  readonly call: WorkflowCall;
  readonly beginning: string;
}

function* contentReuse(calls: readonly WorkflowCall[]): Generator<WorkflowEdge> {
  const answers = new Map<string, Answer>();
  for (const call of calls) {
    const found = new Set<Answer>();
    for (const step of call.given) {
      for (const { answer, isWhole } of answersIn(normalised(textOf(step)), answers)) {
        if (answer.call.agentId === call.agentId || found.has(answer)) continue;
        found.add(answer);
        yield {
          type: "content_reuse",
          origin: "inferred",
          source_agent_id: answer.call.agentId,
          target_agent_id: call.agentId,
          source_request_id: answer.call.id,
          target_request_id: call.id,
          confidence: isWhole ? CONFIDENCE_WHOLE : CONFIDENCE_PART,
        };
      }
    }
    for (const step of call.output) {
      if (step.label !== "assistant_message") continue;
      const beginning = normalised(textOf(step)).slice(0, BEGINNING);
      const key = beginning.slice(0, LEAST);
      if (key.length === LEAST && !answers.has(key)) answers.set(key, { call, beginning });
    }
  }
}

/** The answers whose beginning stands in a text, at the start of a word; whole or its first characters. */
function* answersIn(
  text: string,
  answers: ReadonlyMap<string, Answer>,
): Generator<{ readonly answer: Answer; readonly isWhole: boolean }> {
  for (let at = 0; at + LEAST <= text.length && at !== -1; ) {
    const answer = answers.get(text.slice(at, at + LEAST));
    if (answer !== undefined) yield { answer, isWhole: text.startsWith(answer.beginning, at) };
    const space = text.indexOf(" ", at);
    at = space === -1 ? text.length : space + 1;
  }
}

/** From the request that was answered last to the first of an agent that nothing is known to have asked for. */
function* requestSequence(
  { agents = [] }: Session,
  calls: readonly WorkflowCall[],
): Generator<WorkflowEdge> {
  const spawned = new Set(
    agents
      .filter(({ parent_agent_id }) => parent_agent_id !== undefined)
      .map((one) => one.agent_id),
  );
  const seen = new Set<string>();
  let last: { readonly call: WorkflowCall; readonly end: number } | undefined;
  for (const call of calls) {
    const start = momentOf(call.step.started_at);
    const gap = start === undefined || last === undefined ? undefined : start - last.end;
    const isFirst = !seen.has(call.agentId);
    seen.add(call.agentId);
    if (
      last !== undefined &&
      gap !== undefined &&
      gap >= 0 &&
      gap <= MOST_GAP_MS &&
      isFirst &&
      !spawned.has(call.agentId) &&
      last.call.agentId !== call.agentId
    )
      yield {
        type: "request_sequence",
        origin: "inferred",
        source_agent_id: last.call.agentId,
        target_agent_id: call.agentId,
        source_request_id: last.call.id,
        target_request_id: call.id,
        time_gap_ms: gap,
        confidence: CONFIDENCE_SEQUENCE,
      };
    const end = momentOf(call.step.ended_at);
    if (end !== undefined && (last === undefined || end >= last.end)) last = { call, end };
  }
}

function momentOf(time: string | undefined): number | undefined {
  const moment = Date.parse(time ?? "");
  return Number.isNaN(moment) ? undefined : moment;
}

function textOf({ payload_started: started, payload_completed: completed }: Step): string {
  const said = completed?.["text"] ?? completed?.["result"] ?? started?.["text"];
  return typeof said === "string" ? said : "";
}

function normalised(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
