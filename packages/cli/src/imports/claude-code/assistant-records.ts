import {
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  type GenAiPart,
  isToolCallPart,
  isToolCallResponsePart,
  wordsOf,
} from "@thoughtflow/semconv";
import { partsOfAnthropic, usageOfAnthropic } from "../anthropic-message.ts";
import { withCallIds } from "../conversation/call-ids.ts";
import { takeCompaction } from "../conversation/compaction-edges.ts";
import type { Conversation, OpenCall, OpenTool } from "../conversation/conversation.ts";
import { afterCall, withPending } from "../conversation/places.ts";
import { toTexts } from "../conversation/texts-so-far.ts";
import { spanIdOf } from "../imported-span.ts";
import { tokensWithin } from "../inferences-within.ts";
import { textOf } from "../plain-values.ts";
import { statedCost } from "../stated-cost.ts";
import { isLeftUnanswered } from "./program-words.ts";
import { isSaidByProgram, NO_MODEL, type TranscriptLine } from "./records.ts";
import { isMessagingTool, senderOf } from "./sent-messages.ts";
import { SPAWNING_TOOLS } from "./spawning-tools.ts";
import type { TranscriptState } from "./transcript-state.ts";
import type { UnansweredWords } from "./unanswered-words.ts";

/** Takes a record of the role `assistant`: a part of an answer, whose records have one message id. */
export type TakeAssistant = (line: TranscriptLine, conversation: Conversation, ms: number) => void;

export function createAssistantRecords(
  state: TranscriptState,
  unanswered: UnansweredWords,
): TakeAssistant {
  const { id, report, spans, told, runs, places, spawns, messages, tools, calls, steps } = state;
  const { requests, awaited, teams, asked, early, placeAfter, seen } = state;

  let latest: { call: OpenCall; texts: Set<string>; count: number } | undefined;

  function takeAssistant(line: TranscriptLine, conversation: Conversation, ms: number): void {
    const messageId = textOf(line.message["id"]) ?? line.uuid ?? `line-${line.number}`;
    const time = { ms, order: line.number };
    if (isSaidByProgram(line)) {
      told.push(...state.finishCall(conversation));
      takeAnswer(line, conversation, ms);
      return;
    }
    let { call } = conversation;
    if (call?.messageId !== messageId) {
      told.push(...state.finishCall(conversation));
      const spanId = spanIdOf("claude-code", id, "message", messageId);
      if (calls.has(messageId)) {
        if (line.message["usage"] !== undefined) state.amendCall(messageId, line.message);
        const isOpened = openLate(line, conversation, ms);
        report.lost(
          "record that repeats a message",
          isOpened ? "of what comes after others only tool calls and tokens are kept" : "",
        );
        if (line.uuid !== undefined)
          places.set(line.uuid, afterCall(spanId, { turn: conversation.place.turn }));
        return;
      }
      const place = placeAfter(line, conversation);
      told.push(...unanswered.given(conversation, toTexts(place.pending)));
      if (conversation.agentId === undefined && runs.isNext)
        for (const span of runs.begin(time)) told.push(span);
      call = openCall(line, conversation, place, { messageId, spanId, ms });
      awaited.delete(conversation);
      if (conversation.agent !== undefined) delete conversation.agent.status;
      calls.add(messageId, conversation.agent ?? runs.current);
      state.answered(line, call);
      if (conversation.agentId === undefined) spans.named(call);
      conversation.call = call;
      conversation.place = afterCall(spanId, { turn: place.turn + 1 });
    }
    const parts = withCallIds(partsOfAnthropic(line.message["content"]), call);
    let { order } = time;
    const before = partsOf(call);
    for (const part of parts) {
      const kept = isToolCallPart(part) ? argumentsOf(part) : "";
      const text = isToolCallPart(part) ? spans.toolCallPart(part, kept) : spans.part(part);
      if (before.has(text)) {
        report.lost("part that its answer has already");
        continue;
      }
      if (isToolCallPart(part)) {
        openTool(part, call, conversation, { ms, order: order++ }, line, kept);
        awaited.add(conversation, time);
        early.asked(call, part.id ?? "");
      }
      // The provider ran the tool within the answer.
      if (isToolCallResponsePart(part)) {
        tools.delete(part.id ?? "");
        awaited.delete(conversation);
      }
      call.parts.push(text);
    }
    const model = textOf(line.message["model"]);
    const isReal = model !== NO_MODEL;
    const { usage } = line.message;
    const isError = line.record["isApiErrorMessage"] === true;
    if (isError) requests.failed(line.agentId);
    call.setting ??= requests.answered(line) ?? conversation.setting;
    call.end = time;
    if (isReal && model !== undefined) call.model = model;
    if (isReal && usage !== undefined) {
      call.usage = usageOfAnthropic(usage);
      call.within = tokensWithin(line.message);
    }
    const { costUSD, ttftMs } = line.record;
    if (costUSD !== undefined) call.more = { ...call.more, ...statedCost(costUSD) };
    if (typeof ttftMs === "number")
      call.more = { ...call.more, [ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK]: ttftMs / 1_000 };
    call.stopReason = textOf(line.message["stop_reason"]) ?? call.stopReason;
    const type = textOf(line.record["errorType"]) ?? "api_error";
    call.error = isError ? { type, message: wordsOf(parts) } : undefined;
    if (conversation.agentId === undefined) runs.answered(isError, call.start.order);
    if (line.uuid !== undefined) {
      places.set(line.uuid, conversation.place);
      if (conversation.agentId === undefined) steps.set(line.uuid, call);
    }
    seen(conversation, line, ms);
  }

  /** All parts of an answer so far: of one that comes in thousands of records they are gone through once. */
  function partsOf(call: OpenCall): ReadonlySet<string> {
    if (latest?.call !== call) latest = { call, texts: new Set(), count: 0 };
    for (; latest.count < call.parts.length; latest.count++)
      latest.texts.add(call.parts[latest.count] ?? "");
    return latest.texts;
  }

  function argumentsOf(part: GenAiPart): string {
    return spans.arguments((part as { readonly arguments?: unknown }).arguments);
  }

  /** What a message asks for in a record that comes after others: its answer is told, its tools are not yet. */
  function openLate(line: TranscriptLine, conversation: Conversation, ms: number): boolean {
    const home = calls.homeOf(textOf(line.message["id"]) ?? "");
    const late = partsOfAnthropic(line.message["content"])
      .filter(isToolCallPart)
      .filter(({ id = "" }) => asked.get(id) === undefined);
    if (home === undefined || late.length === 0) return false;
    const { traceId, spanId: parentSpanId } = home;
    for (const [nth, part] of late.entries())
      openTool(
        part,
        { traceId, parentSpanId },
        conversation,
        { ms, order: line.number + nth },
        line,
        argumentsOf(part),
      );
    return true;
  }

  /** An answer that no model gave: the next call is given it, if one comes. */
  function takeAnswer(line: TranscriptLine, conversation: Conversation, ms: number): void {
    const parts = partsOfAnthropic(line.message["content"]);
    const message = spans.message({ role: "assistant", parts });
    conversation.place = withPending(placeAfter(line, conversation), [message]);
    const payload = { text: wordsOf(parts) };
    if (isLeftUnanswered(payload.text)) awaited.resumed(conversation);
    const record = { number: line.number, name: line.name, payload, ms };
    unanswered.said(conversation, message, record);
    if (line.uuid !== undefined) places.set(line.uuid, conversation.place);
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
    const continued = state.takeContinued();
    const edges = [
      ...takeCompaction(conversation),
      ...(continued === undefined
        ? []
        : [{ to: continued, type: "continues", origin: "observed" as const }]),
      ...(conversation.handed ?? []),
    ];
    conversation.handed = undefined;
    return {
      messageId,
      spanId,
      traceId: home.traceId,
      parentSpanId: home.spanId,
      requestId: textOf(line.record["requestId"]),
      start: { ms: before, order: line.number },
      end: { ms, order: line.number },
      after: place.after,
      input: toTexts(place.pending),
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
    { traceId, parentSpanId }: Pick<OpenCall, "traceId" | "parentSpanId">,
    conversation: Conversation,
    start: OpenTool["start"],
    { uuid, time }: TranscriptLine,
    kept: string,
  ): void {
    const { id: toolUseId = "", name } = part;
    const times = (asked.get(toolUseId) ?? 0) + 1;
    asked.set(toolUseId, times);
    const key = times === 1 ? toolUseId : `${toolUseId}~${times}`;
    const spanId = spanIdOf("claude-code", id, "tool", key);
    const unanswered = tools.get(toolUseId);
    if (unanswered !== undefined) tools.set(unanswered.spanId, unanswered);
    const input = (part as { readonly arguments?: unknown }).arguments;
    const tool: OpenTool = {
      toolUseId,
      name,
      arguments: kept,
      traceId,
      spanId,
      parentSpanId,
      start,
      ...(time === undefined && { isUntimed: true }),
      conversation,
    };
    tools.set(toolUseId, tool);
    const call = { toolUseId, spanId, traceId, input, ms: start.ms };
    spawns.asked({ ...call, name, uuid });
    if (SPAWNING_TOOLS.has(name)) teams.asked({ ...call, sessionId: id });
    if (times === 1 && isMessagingTool(name))
      messages.sent({ ...call, ...senderOf(id, name, conversation.agentId) });
  }

  return takeAssistant;
}
