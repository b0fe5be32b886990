import { apart, kept, type LossTable, lost } from "../loss-table.ts";
import { entryOf } from "./records.ts";

const ENTRY = {
  type: apart("entry"),
  id: apart("entry"),
  parentId: apart("entry"),
  timestamp: apart("entry"),
} as const;
const MESSAGE = {
  ...ENTRY,
  "message.role": kept("who said it"),
  "message.timestamp": apart("entry"),
  "message.content": kept("what was said"),
} as const;
const EXTENSION = "of an extension";

/** What becomes of the entries of a session of Pi. */
export const PI_LOSSES: LossTable = {
  parts: (value) => [
    ["entry", value],
    [entryOf(value, 0)?.name ?? "entry", value],
  ],
  fields: {
    entry: {
      type: kept("what kind of step"),
      id: kept("what another entry follows"),
      parentId: kept("what the entry follows: a tree"),
      timestamp: kept("time, where the message has none"),
      "message.timestamp": kept("time"),
      "message.*": apart("its own rows"),
      "*": apart("its own rows"),
    },
    session: {
      ...ENTRY,
      id: kept("session id"),
      version: lost("all are read"),
      cwd: lost("of the machine"),
      parentSession: kept(
        "the first call of its own continues the one that was copied last, where that session is here",
      ),
      branchedFrom: lost("a path; what was copied is what the first call of its own was given"),
      provider: lost("each answer names its own"),
      modelId: lost("each answer names its own"),
      thinkingLevel: kept("reasoning level of the calls"),
    },
    "message user": MESSAGE,
    "message assistant": {
      ...MESSAGE,
      "message.provider": kept("journal: provider of the call"),
      "message.model": kept("model of the call"),
      "message.responseId": kept("id of the answer"),
      "message.stopReason": kept("finish reason; whether the call failed or was stopped"),
      "message.errorMessage": kept("error of the call"),
      "message.usage.input": kept("tokens of the call"),
      "message.usage.output": kept("tokens of the call"),
      "message.usage.cacheRead": kept("tokens of the call"),
      "message.usage.cacheWrite": kept("tokens of the call"),
      "message.usage.totalTokens": lost("a sum"),
      "message.usage.cost.total": kept("cost of the call as it is stated"),
      "message.usage.cost.*": lost("the total is kept"),
      "message.api": lost("the provider tells it"),
    },
    "message toolResult": {
      ...MESSAGE,
      "message.toolCallId": kept("which call it answers"),
      "message.toolName": lost("the call has it"),
      "message.isError": kept("whether it failed"),
      "message.details": lost("how the terminal showed it"),
    },
    "message bashExecution": {
      ...ENTRY,
      "message.role": kept("who said it"),
      "message.timestamp": apart("entry"),
      "message.command": kept("what the model was told"),
      "message.output": kept("what the model was told"),
      "message.exitCode": kept("what the model was told"),
      "message.cancelled": kept("what the model was told"),
      "message.truncated": lost("no place for it"),
      "message.fullOutputPath": lost("a path of the machine"),
      "message.excludeFromContext": kept("a step `generic`: the model was not told"),
    },
    "message custom": { ...MESSAGE, "message.role": lost(EXTENSION), "message.*": lost(EXTENSION) },
    "message hookMessage": {
      ...MESSAGE,
      "message.role": lost(EXTENSION),
      "message.*": lost(EXTENSION),
    },
    compaction: {
      ...ENTRY,
      summary: kept("what the history was replaced by; the next call continues the one before"),
      "*": lost("which entries were kept, and how many tokens they had"),
    },
    branch_summary: {
      ...ENTRY,
      summary: kept("what the model was told of the branch that was left"),
      "*": lost("of the program"),
    },
    model_change: {
      ...ENTRY,
      "*": lost("each answer names its model"),
    },
    thinking_level_change: { ...ENTRY, thinkingLevel: kept("reasoning level of the calls") },
    session_info: { ...ENTRY, name: kept("title") },
    label: { ...ENTRY, label: kept("a step `generic`"), targetId: lost("no place for it") },
    custom: { ...ENTRY, "*": lost(EXTENSION) },
    custom_message: { ...ENTRY, content: kept("what the model was told"), "*": lost(EXTENSION) },
  },
  impossible: {
    "when a call began": "where the entry before was written",
    "system prompt, tool definitions": "not in a session file",
    "sub-agents": "they run as programs of their own, with files of their own",
  },
};
