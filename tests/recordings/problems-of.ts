import { isDeepStrictEqual } from "node:util";
import type { Replay, ReplayedCall } from "./replay-recordings.ts";

/** What is wrong with a replay, one line each; empty when the app noticed nothing and the files tell it all. */
export function problemsOf(replay: Replay): string[] {
  const steps = replay.sessions.flatMap((session) => session.conversations.flatMap((run) => run.steps));
  const recorded = steps.filter((step) => step.origin === "recorded");
  const callIds = new Set(steps.map((step) => step.payload_started?.["call_id"]));
  const problems = replay.calls.flatMap((call) => callProblems(call, callIds));
  if (recorded.length !== replay.calls.length) {
    problems.push(`${replay.calls.length} exchanges left ${recorded.length} recorded steps`);
  }
  for (const { session_id, completeness } of replay.sessions) {
    if (completeness?.status !== "complete") problems.push(`${session_id}: ${JSON.stringify(completeness)}`);
  }
  if (replay.stderr !== "") problems.push(`the app printed to stderr: ${replay.stderr.slice(0, 200)}`);
  return problems;
}

function callProblems(call: ReplayedCall, callIds: ReadonlySet<unknown>): string[] {
  const { recording, expected, bare, instrumented, step } = call;
  if (step === undefined) return [`${recording}: no step`];
  const told: readonly (readonly [string, unknown, unknown])[] = [
    ["result of the app", instrumented, bare],
    ["model", step.payload_started?.["model"], expected.body["model"]],
    ["failed", step.status === "error", expected.failed],
    ["input tokens", step.usage?.input_tokens, expected.inputTokens],
    ["output tokens", step.usage?.output_tokens, expected.outputTokens],
    ["response model", expected.failed ? expected.responseModel : step.payload_completed?.["model"], expected.responseModel],
    ["finish reasons", step.payload_completed?.["finish_reasons"], expected.finishReasons ?? step.payload_completed?.["finish_reasons"]],
    ["missing tool calls", expected.toolCallIds.filter((id) => !callIds.has(id)), []],
  ];
  return told
    .filter(([, is, should]) => !isDeepStrictEqual(is, should))
    .map(([what, is, should]) => `${recording}: ${what} is ${short(is)}, should be ${short(should)}`);
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 160);
}
