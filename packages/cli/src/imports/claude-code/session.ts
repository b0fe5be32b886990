import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_THOUGHTFLOW_SESSION_TITLE,
  type GenAiPart,
  isToolCallPart,
  isToolCallResponsePart,
  SPAN_SESSION,
  wordsOf,
} from "@thoughtflow/semconv";
import { messageOfAnthropic, partsOfAnthropic, usageOfAnthropic } from "../anthropic-message.ts";
import type { Conversation, OpenCall, OpenTool, Run } from "../conversation/conversation.ts";
import { createConversationRuns, type Prompt } from "../conversation/conversation-runs.ts";
import { createConversationSpans } from "../conversation/conversation-spans.ts";
import { createPlaces, START } from "../conversation/places.ts";
import { createSpawns, type Spawn } from "../conversation/spawns.ts";
import type { ImportReport } from "../import-format.ts";
import { spanIdOf, traceIdOf } from "../imported-span.ts";
import { membersOf, textOf } from "../plain-values.ts";
import { createRecordMap } from "../record-map.ts";
import { createRecordRows } from "../record-rows.ts";
import { statedCost } from "../stated-cost.ts";
import {
  blockOf,
  nameOf,
  promptOf,
  resultBlock,
  type TranscriptLine,
  textIn,
  titleOfPrompt,
  wrappedLine,
} from "./records.ts";

/** One session of Claude Code: takes its records in order and gives the spans that are complete by then. */
export interface TranscriptSession {
  readonly id: string;
  /** A record of the main conversation, or of a sub-agent's file. */
  take(line: TranscriptLine, file?: AgentFile): Iterable<SpanRecord>;
  /** A line that is no record. */
  odd(line: OddLine): void;
  /** Whether a sub-agent is known to be asked for: its file may be read. */
  asked(file: AgentFile): boolean;
  title(text: string, order: number): SpanRecord;
  /** The rest. */
  finish(): Iterable<SpanRecord>;
  /** The step that a record led to, `<trace id>/<step id>`, as another session may name it. */
  stepAt(uuid: string): string | undefined;
}

/** What is known of a sub-agent's file before it is read. */
export interface AgentFile {
  readonly agentId: string;
  /** The run of agents that it belongs to: the folder it is in. */
  readonly group: string | undefined;
  readonly prompt: string | undefined;
  readonly ms: number;
}

interface OddLine {
  readonly number: number;
  readonly text: string;
  readonly problem: string;
}

interface Step {
  readonly traceId: string;
  readonly spanId: string;
}

const MAIN = "main";
/** What Claude Code says itself, in the place of a model. */
const NO_MODEL = "<synthetic>";
/** The tools by which it starts sub-agents, over its versions. */
const SPAWNING: ReadonlySet<string> = new Set(["Task", "Agent", "Workflow"]);
/** What Claude Code writes as the user when somebody stops it. */
const INTERRUPTED = /^\[Request interrupted by user/;
/** Simpler ids are the same by chance. */
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const LAUNCHED = /^agentId: ([\w-]+)/m;

/**
 * @param earlier The other session that holds a record, of that time if one is given: a resumed session goes on from it.
 */
export function createTranscriptSession(
  id: string,
  report: ImportReport,
  earlier: (uuid: string, ms?: number) => TranscriptSession | undefined,
): TranscriptSession {
  const spans = createConversationSpans({
    source: "claude-code",
    sessionId: id,
    agentName: "Claude Code",
    report,
  });
  const rows = createRecordRows();
  const places = createPlaces(createRecordMap(rows));
  const spawns = createSpawns(SPAWNING);
  const conversations = new Map<string, Conversation>();
  /** The conversation of a record: a side chain has no id of its own before version 2. */
  const keys = createRecordMap<string>(rows);
  /** What asked for a sub-agent, as its file was found. */
  const found = new Map<string, Spawn>();
  const tools = new Map<string, OpenTool>();
  const calls = new Set<string>();
  /** What records led to, as other sessions may name it. */
  const steps = createRecordMap<Step>(rows);
  const runs = createConversationRuns(spans, unfinishedTools, titleOfPrompt);
  /** The records of it that another session holds too. */
  const copies = createRecordMap<true>(rows);
  let latestStep: Step = { traceId: "", spanId: "" };
  let continues: string | undefined;
  let lastMs = 0;
  let lastNumber = 0;

  /** The records of a call share what is known of its step: there may be hundreds of thousands. */
  function stepOf({ traceId, spanId }: OpenCall): Step {
    if (latestStep.spanId !== spanId || latestStep.traceId !== traceId)
      latestStep = { traceId, spanId };
    return latestStep;
  }

  function keyOf(line: TranscriptLine): string {
    if (line.agentId !== undefined) return line.agentId;
    if (!line.isSidechain) return MAIN;
    const above = line.parentUuid === undefined ? undefined : keys.get(line.parentUuid);
    return above ?? `side-${line.uuid ?? line.number}`;
  }

  function conversationOf(key: string, line: TranscriptLine, ms: number): Conversation {
    const known = conversations.get(key);
    if (known !== undefined) return known;
    const conversation: Conversation =
      key === MAIN ? { ...begun(), agentId: undefined } : subAgent(key, line, ms);
    conversations.set(key, conversation);
    return conversation;
  }

  function begun(): Pick<Conversation, "place" | "call" | "compacted" | "last"> {
    return { place: START, call: undefined, compacted: undefined, last: undefined };
  }

  function subAgent(agentId: string, line: TranscriptLine, ms: number): Conversation {
    const tool = textOf(line.record["parentToolUseID"]);
    const prompt = promptOf(line);
    const spawn =
      (tool === undefined ? undefined : spawns.byTool(tool)) ??
      found.get(agentId) ??
      spawns.byAgent(agentId) ??
      (line.parentUuid === undefined ? undefined : spawns.byRecord(line.parentUuid)) ??
      (prompt === undefined ? undefined : spawns.byPrompt(prompt, ms));
    if (spawn === undefined) report.warn(`${id}: no tool call asked for the agent ${agentId}`);
    const traceId = spawn?.task.traceId ?? traceIdOf("claude-code", id, agentId);
    const spanId = spanIdOf("claude-code", id, "agent", agentId);
    const start = { ms, order: line.number };
    return { ...begun(), agentId, agent: { traceId, spanId, spawn, start, end: start } };
  }

  function* take(given: TranscriptLine): Generator<SpanRecord> {
    const line = given.type === "progress" ? withTool(given) : given;
    if (line === undefined) return;
    const ms = Math.max(line.time ?? lastMs, 0);
    if (!line.isSidechain) lastMs = ms;
    lastNumber = line.number;
    if (line.uuid !== undefined && isCopy(line.uuid, line.time)) copies.set(line.uuid, true);
    const key = keyOf(line);
    if (line.uuid !== undefined && key !== MAIN) keys.set(line.uuid, key);
    switch (line.type) {
      case "user":
        yield* takeUser(line, conversationOf(key, line, ms), ms);
        break;
      case "assistant":
        yield* takeAssistant(line, conversationOf(key, line, ms), ms);
        break;
      default:
        if (line.uuid !== undefined) places.set(line.uuid, conversations.get(key)?.place ?? START);
        yield* takeOther(line, ms);
    }
  }

  function withTool(line: TranscriptLine): TranscriptLine | undefined {
    const inner = wrappedLine(line);
    if (inner === undefined) {
      if (line.uuid !== undefined) places.set(line.uuid, conversations.get(MAIN)?.place ?? START);
      return undefined;
    }
    const { parentToolUseID } = line.record;
    return { ...inner, record: { ...inner.record, parentToolUseID } };
  }

  function isCopy(uuid: string, time: number | undefined): boolean {
    return UUID.test(uuid) && earlier(uuid, time) !== undefined;
  }

  function* takeUser(
    line: TranscriptLine,
    conversation: Conversation,
    ms: number,
  ): Generator<SpanRecord> {
    const message = messageOfAnthropic("user", line.message["content"]);
    const results = message.parts
      .filter(isToolCallResponsePart)
      .map(({ id, response }) => ({ callId: id, result: response, kept: spans.result(response) }));
    const said = message.parts.filter((part) => !isToolCallResponsePart(part));
    for (const { callId: toolUseId, result, kept } of results) {
      if (toolUseId === undefined) continue;
      const agentId = spawns.isAsked(toolUseId) ? agentIn(line, toolUseId) : undefined;
      if (agentId !== undefined) spawns.answered(toolUseId, agentId);
      const tool = tools.get(toolUseId);
      if (tool === undefined) continue;
      tools.delete(toolUseId);
      const isError = blockOf(line, toolUseId)["is_error"] === true;
      if (isError) spawns.refused(toolUseId);
      yield spans.tool(tool, { ms, order: line.number }, { result, kept, isError });
    }
    const words = wordsOf(said);
    const isInterruption = INTERRUPTED.test(words);
    if (line.isCompactSummary) {
      yield* spans.finishCall(conversation);
      conversation.compacted = conversation.place.after;
      conversation.place = { ...START, turn: conversation.place.turn };
    } else if (said.length > 0 && results.length === 0) {
      conversation.place = forkOr(line, conversation);
    }
    if (isInterruption && conversation.agentId === undefined && runs.current !== undefined) {
      runs.current.status = "aborted";
    }
    const isPrompt =
      said.length > 0 &&
      !line.isMeta &&
      !line.isCompactSummary &&
      !isInterruption &&
      results.length === 0;
    if (isPrompt && conversation.agentId === undefined) {
      const key = line.uuid ?? `line-${line.number}`;
      const prompt: Prompt = { key, text: words, number: line.number, ms: line.time };
      runs.prompt(prompt);
      if (line.uuid !== undefined && words !== "")
        steps.set(line.uuid, {
          traceId: spans.traceId(runs.keyOf(prompt)),
          spanId: spans.promptSpanId(key),
        });
    }
    if (isPrompt && conversation.agent !== undefined && conversation.call === undefined)
      yield* spans.agentPrompt(conversation.agent, words, { ms, order: line.number });
    const { pending, turn, after } = conversation.place;
    if (message.parts.length > 0) {
      const texts = [
        ...(results.length > 0 ? [spans.toolMessage(results)] : []),
        ...(said.length > 0 ? [spans.message({ role: "user", parts: said }, "input")] : []),
      ];
      const isTurn = said.length > 0 && results.length === 0;
      conversation.place = {
        after,
        pending: [...pending, ...texts],
        turn: turn + (isTurn ? 1 : 0),
      };
    }
    if (line.uuid !== undefined) places.set(line.uuid, conversation.place);
    seen(conversation, line, ms);
  }

  /** The sub-agent that the result of its tool call names, or the run of several. */
  function agentIn(line: TranscriptLine, toolUseId: string): string | undefined {
    const told = membersOf(line.record["toolUseResult"]);
    return (
      textOf(told["agentId"]) ??
      textOf(told["runId"]) ??
      LAUNCHED.exec(wordsOf(partsOfAnthropic(resultBlock(line, toolUseId))))?.[1]
    );
  }

  /** A place behind the end of its conversation is one where somebody took it up again. */
  function forkOr(line: TranscriptLine, { place }: Conversation): Conversation["place"] {
    const { parentUuid } = line;
    const there = parentUuid === undefined ? undefined : places.get(parentUuid);
    // A resumed session may begin with a copy of the earlier one's records: the first that is no copy goes on from it.
    const isNext = there === undefined || copies.has(parentUuid ?? "");
    if (parentUuid !== undefined && isNext && !copies.has(line.uuid ?? ""))
      continues ??= earlier(parentUuid)?.stepAt(parentUuid);
    return there !== undefined && there.turn < place.turn ? there : place;
  }

  function* takeAssistant(
    line: TranscriptLine,
    conversation: Conversation,
    ms: number,
  ): Generator<SpanRecord> {
    const messageId = textOf(line.message["id"]) ?? line.uuid ?? `line-${line.number}`;
    const time = { ms, order: line.number };
    let { call } = conversation;
    if (call?.messageId !== messageId) {
      yield* spans.finishCall(conversation);
      const spanId = spanIdOf("claude-code", id, "message", messageId);
      if (calls.has(messageId)) {
        report.lost("record that repeats a message");
        if (line.uuid !== undefined)
          places.set(line.uuid, { after: spanId, pending: [], turn: conversation.place.turn });
        return;
      }
      calls.add(messageId);
      const place = forkOr(line, conversation);
      if (conversation.agentId === undefined && (runs.current === undefined || runs.isAsked))
        yield* runs.begin(time);
      call = openCall(line, conversation, place, { messageId, spanId, ms });
      if (conversation.agentId === undefined) spans.named(call);
      conversation.call = call;
      conversation.place = { after: spanId, pending: [], turn: place.turn + 1 };
    }
    for (const part of partsOfAnthropic(line.message["content"])) {
      call.parts.push(part);
      if (isToolCallPart(part)) openTool(part, call, conversation, time, line.uuid);
    }
    const model = textOf(line.message["model"]);
    const isReal = model !== NO_MODEL;
    const usage = isReal ? line.message["usage"] : undefined;
    const isError = line.record["isApiErrorMessage"] === true;
    Object.assign(call, {
      end: time,
      model: (isReal ? model : undefined) ?? call.model,
      usage: usage === undefined ? call.usage : usageOfAnthropic(usage),
      more: { ...call.more, ...statedCost(line.record["costUSD"]) },
      stopReason: textOf(line.message["stop_reason"]) ?? call.stopReason,
      error: isError ? { type: "api_error", message: wordsOf(call.parts) } : undefined,
    });
    if (line.uuid !== undefined) {
      places.set(line.uuid, conversation.place);
      if (conversation.agentId === undefined) steps.set(line.uuid, stepOf(call));
    }
    seen(conversation, line, ms);
  }

  function openCall(
    line: TranscriptLine,
    conversation: Conversation,
    place: Conversation["place"],
    { messageId, spanId, ms }: { messageId: string; spanId: string; ms: number },
  ): OpenCall {
    const home = conversation.agent ?? runs.current;
    if (home === undefined) throw new Error("a call without a run");
    const before = Math.min(conversation.last ?? ms, ms);
    const edges = [
      ...(conversation.compacted === undefined
        ? []
        : [{ to: `s_${conversation.compacted}`, type: "continues", origin: "observed" as const }]),
      ...(continues === undefined
        ? []
        : [{ to: continues, type: "continues", origin: "observed" as const }]),
    ];
    conversation.compacted = undefined;
    continues = undefined;
    return {
      messageId,
      spanId,
      traceId: home.traceId,
      parentSpanId: home.spanId,
      requestId: textOf(line.record["requestId"]),
      start: { ms: before, order: line.number },
      end: { ms, order: line.number },
      after: place.after,
      input: place.pending,
      parts: [],
      provider: "anthropic",
      model: undefined,
      usage: {},
      stopReason: undefined,
      error: undefined,
      edges,
    };
  }

  function openTool(
    part: GenAiPart & { readonly name: string; readonly id?: string },
    { traceId, parentSpanId }: OpenCall,
    conversation: Conversation,
    start: OpenTool["start"],
    uuid: string | undefined,
  ): void {
    const { id: toolUseId = `${start.order}`, name } = part;
    const spanId = spanIdOf("claude-code", id, "tool", toolUseId);
    const input = (part as { readonly arguments?: unknown }).arguments;
    tools.set(toolUseId, {
      toolUseId,
      name,
      input,
      traceId,
      spanId,
      parentSpanId,
      start,
      conversation,
    });
    spawns.asked({ toolUseId, spanId, traceId, name, input, uuid, ms: start.ms });
  }

  /** The tools of a run that is over and that nobody answered. */
  function* unfinishedTools(run: Run): Generator<SpanRecord> {
    for (const tool of tools.values()) {
      if (tool.traceId !== run.traceId) continue;
      tools.delete(tool.toolUseId);
      yield spans.unfinishedTool(tool, run.end, run.status === "aborted");
    }
  }

  function* takeOther(line: TranscriptLine, ms: number): Generator<SpanRecord> {
    const text = textIn(line.record);
    if (text === undefined) return;
    const name = nameOf(line.record);
    // What happens before a prompt is answered belongs to the run that it begins.
    const run = runs.current;
    if (run === undefined || runs.isAsked)
      runs.keep({ number: line.number, name, payload: { text }, ms });
    else yield spans.generic(run, name, { text }, { ms, order: line.number });
  }

  function seen(conversation: Conversation, line: TranscriptLine, ms: number): void {
    conversation.last = ms;
    const end = { ms, order: line.number };
    if (conversation.agent !== undefined) conversation.agent.end = end;
    const run = runs.current;
    if (
      run !== undefined &&
      !runs.isAsked &&
      (conversation.agent === undefined || conversation.agent.traceId === run.traceId)
    )
      if (ms >= run.end.ms) run.end = end;
  }

  return {
    id,
    take: (line, file) =>
      take(file === undefined ? line : { ...line, agentId: file.agentId, isSidechain: true }),
    odd({ number, ...payload }) {
      runs.keep({
        number,
        name: "unreadable line",
        payload: { line: number, ...payload },
        ms: lastMs,
      });
    },
    asked({ agentId, group, prompt, ms }) {
      if (spawns.byAgent(agentId) !== undefined) return true;
      const spawn =
        (group === undefined ? undefined : spawns.byAgent(group)) ??
        (prompt === undefined ? undefined : spawns.byPrompt(prompt, ms));
      if (spawn !== undefined) found.set(agentId, spawn);
      return spawn !== undefined;
    },
    title: (text, order) =>
      spans.session(
        SPAN_SESSION,
        { [ATTR_THOUGHTFLOW_SESSION_TITLE]: text },
        { ms: lastMs, order },
      ),
    *finish() {
      for (const conversation of conversations.values()) yield* spans.finishCall(conversation);
      if (runs.isAsked) yield* runs.begin({ ms: lastMs, order: lastNumber });
      for (const tool of [...tools.values()]) {
        if (tool.traceId === runs.current?.traceId) continue;
        yield spans.unfinishedTool(tool, tool.conversation.agent?.end ?? tool.start, false);
        tools.delete(tool.toolUseId);
      }
      for (const { agent, agentId } of conversations.values())
        if (agent !== undefined && agentId !== undefined) yield spans.agent(agent, agentId);
      yield* runs.finish();
      if (spawns.untaken > 0)
        report.warn(`${id}: of ${spawns.untaken} sub-agents that were asked for nothing is there`);
      keys.clear();
      tools.clear();
      conversations.clear();
      calls.clear();
      places.clear();
      copies.clear();
      for (const { number, name } of runs.untold)
        report.warn(`${id}: no run holds line ${number} (${name})`);
    },
    stepAt(uuid) {
      const step = steps.get(uuid);
      return step && `${step.traceId}/s_${step.spanId}`;
    },
  };
}
