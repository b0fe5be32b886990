import { apart, kept, type LossPart, type LossTable, lost, missed } from "../loss-table.ts";
import { membersOf, type PlainObject } from "../plain-values.ts";
import { entryOf } from "./records.ts";
import { entryIn, isStreamEvent, isToldAgain } from "./stream-events.ts";
import { agentsIn } from "./sub-agents.ts";

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
const EVENT = { type: apart("the name of its rows") } as const;
const USAGE = (at: string) => ({
  [`${at}.input`]: kept("tokens of the call"),
  [`${at}.output`]: kept("tokens of the call"),
  [`${at}.cacheRead`]: kept("tokens of the call"),
  [`${at}.cacheWrite`]: kept("tokens of the call"),
  [`${at}.cacheWrite1h`]: lost("the stated cost holds it"),
  [`${at}.reasoning`]: kept("tokens of the call"),
  [`${at}.totalTokens`]: lost("a sum"),
  [`${at}.cost.total`]: kept("what the call cost, as the program says"),
  [`${at}.cost.*`]: lost("the total is kept"),
});
const SYSTEM = (at: string) => ({
  [`${at}.role`]: kept("who said it"),
  [`${at}.content`]: kept("system instructions"),
  [`${at}.sections`]: kept("system instructions"),
  [`${at}.toolsAdded[].name`]: kept("tool definitions"),
  [`${at}.toolsAdded[].description`]: kept("tool definitions"),
  [`${at}.toolsAdded[].parameters`]: kept("tool definitions"),
  [`${at}.toolsAdded[].*`]: lost("no place for it"),
  [`${at}.toolsRemoved`]: kept("tool definitions"),
});

/** What becomes of the entries of a session of Pi. */
export const PI_LOSSES: LossTable = {
  parts: partsOf,
  fields: {
    entry: {
      type: kept("what kind of step"),
      id: kept("what another entry follows"),
      parentId: kept("what the entry follows: a tree"),
      timestamp: kept("when an answer was whole; else time, where the message has none"),
      "message.timestamp": kept("time; of an answer when it was asked for"),
      "message.*": apart("its own rows"),
      "*": apart("its own rows"),
    },
    title: {
      type: apart("entry"),
      v: lost("there is one"),
      title: kept("title"),
      source: lost("no place for it"),
      updatedAt: lost("no place for it"),
      pad: lost("room for a longer title"),
    },
    session: {
      ...ENTRY,
      id: kept("session id"),
      title: lost("the line before it has the latest"),
      version: lost("all are read"),
      cwd: lost("of the machine"),
      parentSession: kept(
        "the first call of its own continues the one that was copied last, where that session is here",
      ),
      branchedFrom: kept("the same, as older versions name it"),
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
      "message.durationMs": kept("when the answer was whole"),
      "message.thinkingLevel": kept("reasoning level of the call"),
      "message.stopReason": kept("finish reason; whether the call failed or was stopped"),
      "message.errorMessage": kept("error of the call"),
      ...USAGE("message.usage"),
      "message.usage.reasoningTokens": kept("tokens of the call, as oh-my-pi names them"),
      "message.api": lost("the provider tells it"),
      "message.responseModel": kept(
        "model of the call, where it is not the one that was asked for",
      ),
      "message.providerThinkingLevel": lost("the level that was asked for is kept"),
      "message.diagnostics": lost("of the program"),
      "message.rawStopReason": lost("the reason is kept in the program's words"),
      "message.endTurn": lost("what comes next tells it"),
      "message.deferred": lost("no place for it"),
    },
    "message system": {
      ...ENTRY,
      "message.timestamp": apart("entry"),
      ...SYSTEM("message"),
    },
    "message toolResult": {
      ...MESSAGE,
      "message.toolCallId": kept("which call it answers"),
      "message.toolName": lost("the call has it"),
      "message.isError": kept("whether it failed"),
      "message.durationMs": kept("when the tool began"),
      "message.details.results[].agent": kept("name of the sub-agent"),
      "message.details.results[].messages": apart("message …"),
      "message.details.results[].usage": kept(
        "a step with the tokens, where no messages tell them",
      ),
      "message.details.results[].model": kept("model of these tokens"),
      "message.details.results[].sessionFile": kept("whether its own session tells more"),
      "message.details.results[].stderr": kept("a step `output of a sub-agent`"),
      "message.details.results[].errorMessage": kept("a step `output of a sub-agent`"),
      "message.details.results[].task": lost("the call has it"),
      "message.details.results[].*": lost("the messages tell it"),
      "message.details.*": lost("how the terminal showed it"),
      "message.usage": missed("what a tool's own calls took: how many they were is not told"),
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
    "message custom": {
      ...MESSAGE,
      "message.role": lost(EXTENSION),
      "message.*": missed(EXTENSION),
    },
    "message hookMessage": {
      ...MESSAGE,
      "message.role": lost(EXTENSION),
      "message.*": missed(EXTENSION),
    },
    compaction: {
      ...ENTRY,
      summary: kept("what the history was replaced by; the next call continues the one before"),
      ...USAGE("usage"),
      ...SYSTEM("systemMessage"),
      "systemMessage.role": lost("it is always the same"),
      "systemMessage.timestamp": lost("the entry's is kept"),
      "systemMessage.toolsRemoved": lost("it tells all tools that are left"),
      "*": lost("which entries were kept, and how many tokens they had"),
    },
    branch_summary: {
      ...ENTRY,
      summary: kept("what the model was told of the branch that was left"),
      ...USAGE("usage"),
      "*": lost("of the program"),
    },
    usage: {
      ...ENTRY,
      provider: kept("journal: provider of the call"),
      model: kept("model of the call"),
      ...USAGE("usage"),
      kind: lost("no place for it"),
    },
    context_edit: {
      ...ENTRY,
      "*": lost("what later calls were given in an entry's place: the entry is kept"),
    },
    model_change: {
      ...ENTRY,
      "*": lost("each answer names its model"),
    },
    thinking_level_change: { ...ENTRY, thinkingLevel: kept("reasoning level of the calls") },
    session_info: { ...ENTRY, name: kept("title") },
    label: { ...ENTRY, label: kept("a step `generic`"), targetId: lost("no place for it") },
    custom: { ...ENTRY, "*": missed(EXTENSION) },
    "printed message_end": { type: kept("what kind of step"), message: apart("message …") },
    "printed compaction_end": {
      type: kept("what kind of step"),
      "result.summary": kept("what the history was replaced by"),
      "result.*": lost("which entries were kept, and how many tokens they had"),
      "*": lost("of the program"),
    },
    "printed compaction_start": { ...EVENT, "*": lost("its end tells it") },
    "printed thinking_level_changed": {
      type: kept("what kind of step"),
      level: kept("reasoning level of the calls"),
    },
    "printed session_info_changed": { type: kept("what kind of step"), name: kept("title") },
    "printed queue_update": { ...EVENT, "*": lost("what was said is told when it is said") },
    "printed auto_retry_start": { ...EVENT, "*": lost("the call that failed is told") },
    "printed auto_retry_end": { ...EVENT, "*": lost("the call that comes next is told") },
    "printed again": { "*": apart("the ends of messages tell it") },
    custom_message: { ...ENTRY, content: kept("what the model was told"), "*": lost(EXTENSION) },
  },
  impossible: {
    "when an answer was whole":
      "not in what versions before 1.2 printed: it ends when it was asked for",
    "system prompt, tool definitions": "not in a session file of a version before 1.0",
    "what an answer held that was cut off":
      "not in a session file; of what was printed, the last that came",
    "sub-agents of an extension":
      "those of the tool `subagent` apart, whose results tell what they did",
  },
};

function* partsOf(value: PlainObject): Generator<LossPart> {
  if (!isStreamEvent(value)) {
    yield* partsOfEntry(value);
  } else if (isToldAgain(value)) yield ["printed again", value];
  else {
    yield [`printed ${value["type"]}`, value];
    if (value["type"] !== "message_end") return;
    yield* partsOfEntry(membersOf(entryIn(value)));
  }
}

function* partsOfEntry(value: PlainObject): Generator<LossPart> {
  const entry = entryOf(value, 0);
  yield ["entry", value];
  yield [entry?.name ?? "entry", value];
  for (const { messages } of agentsIn(entry?.message ?? {}))
    for (const message of messages) yield* partsOfEntry({ type: "message", message });
}
