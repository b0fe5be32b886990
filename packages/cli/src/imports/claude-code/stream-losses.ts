import { apart, type Fate, kept, type LossPart, lost } from "../loss-table.ts";
import type { PlainObject } from "../plain-values.ts";
import { ANSWER_ROWS, SAID_ROWS } from "./message-losses.ts";
import { nameOf } from "./records.ts";
import { NOTED_RECORDS } from "./stream-notes.ts";
import { BEGINNING } from "./turns.ts";

const PROGRAM = "of the program";
const IN_CALL = "the call has it";

/** What records of all kinds have. */
const RECORD = {
  type: kept("what kind of record"),
  subtype: kept("what kind of record"),
  uuid: kept("id of the run that begins with it"),
  session_id: kept("session"),
  timestamp: kept("time"),
  parent_tool_use_id: kept("the call that asked for the sub-agent"),
  agent_id: kept("the sub-agent that says so"),
  subagent_type: lost(IN_CALL),
  task_description: lost(IN_CALL),
} as const;

const OWN = Object.fromEntries(Object.keys(RECORD).map((field) => [field, apart("stream")]));

/** Records that are left out as a whole, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "system status": PROGRAM,
  "system thinking_tokens": "the answer tells it",
  "system task_progress": "the sub-agent's records tell it",
  "system task_updated": "`task_notification` tells it",
  "system background_tasks_changed": "`task_started` and `task_notification` tell it",
  "system hook_started": "of hooks",
  "system hook_progress": "of hooks",
  "system hook_response": "of hooks",
  "system session_state_changed": PROGRAM,
  "system post_turn_summary": "the answer tells it",
  "system commands_changed": PROGRAM,
  "system files_persisted": PROGRAM,
  "system plugin_install": PROGRAM,
  rate_limit_event: PROGRAM,
  auth_status: PROGRAM,
  tool_progress: "the result tells it",
  tool_use_summary: "the tool calls tell it",
  prompt_suggestion: PROGRAM,
  control_request: PROGRAM,
  control_response: PROGRAM,
};

const EVENT_TOKENS = kept("tokens of the call");

/** What becomes of the records of a stream. */
export const STREAM_ROWS: Readonly<Record<string, Readonly<Record<string, Fate>>>> = {
  stream: { ...RECORD, "*": apart("its own rows") },
  "stream user": {
    ...OWN,
    ...SAID_ROWS,
    isSynthetic: kept("no turn of a person"),
    isReplay: lost("the order tells it"),
    tool_use_result: lost("a second form of the result"),
    tool_result_meta: lost("the result tells it"),
    "*": lost(PROGRAM),
  },
  "stream assistant": {
    ...OWN,
    ...ANSWER_ROWS,
    request_id: kept("id of the request"),
    error: kept("kind of the error of the call"),
    is_api_error_message: kept("error of the call"),
    api_error_status: lost("the words of the answer tell it"),
    api_error_type: lost("the words of the answer tell it"),
    "*": lost(PROGRAM),
  },
  "stream stream_event": {
    ...OWN,
    "event.type": kept("what kind of record"),
    "event.message.id": kept("which answer it is of"),
    "event.message.model": kept("model of the call"),
    "event.message.usage": EVENT_TOKENS,
    "event.message.*": lost("the answer's own records tell it"),
    "event.usage": EVENT_TOKENS,
    "event.delta.stop_reason": kept("finish reason"),
    "event.delta.*": lost("the answer's own records tell it"),
    "event.*": lost("the answer's own records tell it"),
    ttft_ms: kept("time to the first part of the answer"),
    "*": lost(PROGRAM),
  },
  "stream system init": {
    ...OWN,
    tools: kept("tool definitions: the names"),
    ...Object.fromEntries(BEGINNING.map((field) => [field, kept("initial state of the run")])),
    cwd: lost("of the machine"),
    "*": lost(PROGRAM),
  },
  "stream system task_started": {
    ...OWN,
    task_id: kept("id of the sub-agent"),
    tool_use_id: kept("the call that asked for the sub-agent"),
    prompt: kept("what the sub-agent was told"),
    task_type: kept("whether it is a sub-agent"),
    "*": lost(IN_CALL),
  },
  "stream result": {
    ...OWN,
    subtype: kept("status of the run, and its final state"),
    is_error: kept("status of the run, and its final state"),
    terminal_reason: kept("status of the run, and its final state"),
    origin: kept("trigger of the run, where no person began it, and its final state"),
    duration_ms: kept("final state of the run; its duration, where nothing tells times"),
    usage: kept("final state of the run"),
    modelUsage: kept("final state of the run; a step has the tokens that no call tells"),
    model_usage_since_last_result: kept(
      "final state of the run; a step has the tokens that no call tells",
    ),
    total_cost_usd: kept("final state of the run"),
    result: kept("final state of the run; the title, where nobody knows what was asked"),
    permission_denials: kept("final state of the run"),
    structured_output: kept("final state of the run"),
    "*": kept("final state of the run"),
  },
  ...Object.fromEntries(
    Object.entries(NOTED_RECORDS).map(([kind, fields]) => [
      `stream ${kind}`,
      {
        ...OWN,
        ...Object.fromEntries(fields.map((field) => [field, kept("a step `generic`")])),
        "*": lost(PROGRAM),
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(LEFT_OUT).map(([kind, why]) => [
      `stream ${kind}`,
      { type: lost(why), "*": apart("the record") },
    ]),
  ),
};

export function streamPartsOf(record: PlainObject): readonly LossPart[] {
  const isResult = record["type"] === "result";
  // A result's subtype says how it ended.
  const name = isResult ? "result" : nameOf(record);
  const own: LossPart = [`stream ${name}`, record];
  return Object.hasOwn(LEFT_OUT, name) ? [own] : [own, ["stream", record]];
}
