import { isDeepStrictEqual } from "node:util";
import type { Step } from "@thoughtflow/schema";
import type { ExpectedStep } from "./expected-step.ts";
import type { Replay, ReplayedCall } from "./replay-recordings.ts";

/** What is wrong with a replay, one line each; empty when the app noticed nothing and the files tell it all. */
export function problemsOf(replay: Replay): string[] {
  const steps = replay.sessions.flatMap((session) => session.conversations.flatMap((run) => run.steps));
  const callIds = new Set(steps.map((step) => step.payload_started?.["call_id"]));
  const problems = replay.calls.flatMap((call) => callProblems(call, callIds));
  const expected = replay.calls.filter((call) => call.expected.label !== undefined);
  const recorded = steps.filter((step) => step.origin === "recorded");
  if (recorded.length !== expected.length) {
    problems.push(`${expected.length} exchanges left ${recorded.length} recorded steps`);
  }
  for (const { session_id, completeness } of replay.sessions) {
    if (completeness?.status !== "complete") problems.push(`${session_id}: ${JSON.stringify(completeness)}`);
  }
  if (replay.stderr !== "") problems.push(`the app printed to stderr: ${replay.stderr.slice(0, 200)}`);
  return problems;
}

type Told = readonly (readonly [what: string, is: unknown, should: unknown])[];

function callProblems(call: ReplayedCall, callIds: ReadonlySet<unknown>): string[] {
  const { recording, expected, bare, instrumented, step } = call;
  const app: Told = [["result of the app", instrumented, bare]];
  const missing = expected.toolCallIds.filter((id) => !callIds.has(id));
  const told =
    expected.label === undefined ? app : [...app, ["missing tool calls", missing, []] as const, ...stepTold(expected, step)];
  return told
    .filter(([, is, should]) => !isDeepStrictEqual(is, should))
    .map(([what, is, should]) => `${recording}: ${what} is ${short(is)}, should be ${short(should)}`);
}

function stepTold(expected: ExpectedStep, step: Step | undefined): Told {
  const { body } = expected;
  const given = { ...(step?.payload_started?.["arguments"] ?? step?.payload_started?.["args"] ?? {}) } as Record<string, unknown>;
  const came: Record<string, unknown> = step?.payload_completed ?? {};
  const reasons = came["given_finish_reasons"] ?? came["finish_reasons"];
  const isModelCall = expected.label === "assistant_call" || expected.label === "embedding";
  const always: Told = [
    ["label", step?.label, expected.label],
    ["failed", step?.status === "error", expected.failed],
    ["input tokens", step?.usage?.input_tokens, expected.inputTokens],
    ["output tokens", step?.usage?.output_tokens, expected.outputTokens],
    ["cached tokens", step?.usage?.cache_read_input_tokens, expected.cachedTokens],
    ["reasoning tokens", step?.usage?.reasoning_output_tokens, expected.reasoningTokens],
    ["status code", came["status_code"], expected.status >= 400 ? expected.status : came["status_code"]],
    ["error code", step?.error?.type, expected.errorCode ?? step?.error?.type],
  ];
  if (!isModelCall) return always;
  return [
    ...always,
    ["model", step?.payload_started?.["model"], body["model"]],
    ["temperature", given["temperature"], numberIn(body["temperature"])],
    ["top_p", given["top_p"], numberIn(body["top_p"])],
    ["seed", given["seed"], numberIn(body["seed"])],
    ["stream", given["stream"], body["stream"] === true ? true : undefined],
    ["store", given["store"], body["store"] ?? undefined],
    ["previous response", given["previous_response_id"], body["previous_response_id"] ?? undefined],
    ["offered tools", given["tools_count"], toolsIn(body)],
    ["response id", came["response_id"], expected.responseId],
    ["response model", came["model"], expected.responseModel],
    ["finish reasons", reasons, expected.finishReasons ?? reasons],
    ["chunks", came["chunks"], expected.chunks ?? came["chunks"]],
    ["first chunk", typeof came["time_to_first_chunk_ms"], expected.chunks === undefined ? typeof came["time_to_first_chunk_ms"] : "number"],
    ["text", came["text"] ?? came["text_preview"], textIn(expected, came)],
  ];
}

/** A long text stands with its own step, the call has a preview. */
function textIn({ text }: ExpectedStep, came: Record<string, unknown>): unknown {
  const told = came["text"] ?? came["text_preview"];
  return text === undefined || came["text"] === undefined ? told : text;
}

function toolsIn({ tools, functions }: Record<string, unknown>): number | undefined {
  const count = [tools, functions].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
  return count === 0 ? undefined : count;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 160);
}
