import type { SpanRecord } from "@thoughtflow/schema";
import { counted } from "../../quantity.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { START, withoutPending } from "../conversation/places.ts";
import { opened } from "../live-records.ts";
import { type AgentFile, createAgentConversations } from "./agent-conversations.ts";
import { createAssistantRecords } from "./assistant-records.ts";
import { isTurnsEnd } from "./awaited-answers.ts";
import { createCopiedBeginnings, type JudgedLine } from "./copied-beginnings.ts";
import { createCopiedRecords, isForked, isOfOtherSession } from "./copied-records.ts";
import { createEarlierSession, type EarlierSession } from "./earlier-session.ts";
import { createHearing } from "./hearing.ts";
import { createKeptTails } from "./kept-tails.ts";
import { createQueuedWords } from "./queued-words.ts";
import { textIn } from "./record-words.ts";
import { queuedLine, type TranscriptLine, wrappedLine } from "./records.ts";
import { TASK_IS_DONE } from "./stream-notes.ts";
import { createStreamedSession } from "./streamed-session.ts";
import {
  createTranscriptState,
  type ImportedTogether,
  type KnownOfSession,
} from "./transcript-state.ts";
import { createUnansweredWords } from "./unanswered-words.ts";
import { createUserRecords } from "./user-records.ts";

/** One session of Claude Code: takes its records in order and gives the spans that are complete by then. */
export interface TranscriptSession {
  readonly id: string;
  /** A record of the main conversation, or of a sub-agent's file. */
  take(line: TranscriptLine, file?: AgentFile): readonly SpanRecord[];
  /** A line that is no record. */
  odd(line: OddLine): void;
  /**
   * What it is called from now on: told with the rest, wherever it stands, and not where the session is nothing but a copy. Programs
   * write it again and again.
   *
   * @returns Whether it was called otherwise before, and is there already.
   */
  titled(text: string, order: number): boolean;
  /**
   * What a record follows, as it says.
   *
   * @param isElsewhere Whether another session has a record.
   */
  follows(line: TranscriptLine, isElsewhere: (uuid: string) => boolean): void;
  /** Whether an id tells who asked for a sub-agent: its file may be read. */
  isNamed(file: AgentFile): boolean;
  /** Whether a call waits for what a sub-agent begins with, where no id will tell: its file may be read. */
  isAwaited(file: AgentFile): boolean;
  /**
   * The rest.
   *
   * @param isGrowing A stream says what is over; all else that it tells of may still go on. Default false: nothing does.
   */
  finish(isGrowing?: boolean): Iterable<SpanRecord>;
  /** What later ones may ask of it. */
  readonly earlier: EarlierSession;
}

interface OddLine {
  readonly number: number;
  readonly text: string;
  readonly problem: string;
}

const NONE: readonly SpanRecord[] = [];

const FOLLOWS_THE_LAST = "the order of the lines counts";

/** An answer is whole once so many records of others followed: those of one answer are written in one go. */
const QUIET = 1_000;

/** Records that are written out of order are not farther apart. */
const MOST_BACK_MS = 3_600_000;

/**
 * @param startMs Until a record tells its time, this is it: milliseconds since 1970.
 * @param filed The sub-agents that have files.
 */
export function createTranscriptSession(
  id: string,
  together: ImportedTogether,
  startMs: number,
  filed: ReadonlySet<string>,
  known: KnownOfSession = {},
): TranscriptSession {
  const { report } = together;
  const state = createTranscriptState(id, together, known);
  const { spans, told, runs, places, spawns, tools, requests, awaited, noteCopy, source } = state;
  const conversations = createAgentConversations(state);
  const unanswered = createUnansweredWords(state);
  const hearing = createHearing(
    state,
    (agentId) => filed.has(agentId) || conversations.has(agentId),
  );
  const takeUser = createUserRecords(state, unanswered, hearing);
  const takeAssistant = createAssistantRecords(state, unanswered);
  const takeCopied = createCopiedRecords(state);
  const streamed = createStreamedSession(state, conversations);
  const beginnings = createCopiedBeginnings(
    (line) => !isCopied(line) && (isOfOtherSession(line) || state.isToldElsewhere(line)),
  );
  const earlier = createEarlierSession(source, startMs);
  const queued = createQueuedWords();
  const tails = createKeptTails((uuid) => places.get(uuid) !== undefined);
  let lastNumber = 0;
  let taken = 0;
  let copied = 0;
  let own = 0;
  let title: { readonly text: string; readonly order: number } | undefined;
  /** The sub-agents whose last answer may go on, each with how many records of answers there were then; the quietest first. */
  const answering = new Map<Conversation, number>();

  function take(given: TranscriptLine, file?: string): void {
    const line = given.type === "progress" ? withTool(given) : (queuedLine(given) ?? given);
    if (line === undefined) return;
    const ms = Math.max(line.time ?? earlier.lastMs, 0);
    // All agents of a stream stand in it, in the order of time; others have files of their own.
    if (!line.isSidechain || line.isStreamed) earlier.lastMs = ms;
    lastNumber = line.number;
    if (line.isStreamed) takeJudged({ line, ms, isCopy: false });
    else for (const one of beginnings.after({ line, ms }, file)) takeInOrder(one);
  }

  function takeInOrder(judged: JudgedLine): void {
    for (const one of tails.inOrder(judged)) takeJudged(one);
  }

  /** Whether its own id or what it says of itself tells that it was copied. */
  function isCopied(line: TranscriptLine): boolean {
    return noteCopy(line) || isForked(line);
  }

  function takeJudged({ line, ms, isCopy }: JudgedLine): void {
    const isSaid = line.type === "user" || line.type === "assistant";
    if (line.type === "user") queued.said(line);
    if (isCopied(line) || isCopy) {
      // What copied calls were given later ones are given, too.
      takeRequest(line);
      requests.answered(line);
      if (isSaid) copied++;
      if (isCopy) takenOver(line);
      // What a sub-agent did is told where it was done.
      if (isSaid && !line.isSidechain) takeCopied(line, conversations.of(line, ms));
      else notePlace(line, conversations.known(line));
      return;
    }
    if (isSaid) own++;
    switch (line.type) {
      case "user": {
        const conversation = conversations.of(line, ms);
        takeUser(line, conversation, notBefore(conversation, ms));
        break;
      }
      case "assistant": {
        const conversation = conversations.of(line, ms);
        if (line.isStreamed) streamed.answered(line, conversation);
        takeAssistant(line, conversation, notBefore(conversation, ms));
        finishQuiet(conversation);
        break;
      }
      case "queue-operation":
        queued.take(line, ms);
        break;
      case "api-request-shape":
      case "api-request": {
        takeRequest(line);
        const conversation = conversations.known(line);
        if (conversation !== undefined) awaited.add(conversation, { ms, order: line.number });
        break;
      }
      default:
        notePlace(line, conversations.known(line));
        takeOther(line, ms);
    }
  }

  function takeRequest(line: TranscriptLine): void {
    if (line.type === "api-request-shape") requests.takeShape(line);
    if (line.type === "api-request") requests.take(line);
  }

  /** A record that was copied under a new id. */
  function takenOver(line: TranscriptLine): void {
    report.lost("record that was copied under a new id", "another session told its answer");
    if (!line.isSidechain) state.goesOnFrom(line);
  }

  /** The times of records go back at times; their order tells what followed what. But one wrong clock must not be all others'. */
  function notBefore({ last = 0 }: Conversation, ms: number): number {
    return last - ms > MOST_BACK_MS ? ms : Math.max(last, ms);
  }

  function takeOther(line: TranscriptLine, ms: number): void {
    const conversation = conversations.known(line);
    if (conversation !== undefined && isTurnsEnd(line)) awaited.delete(conversation);
    if (line.name === "system api_error") requests.failed(line.agentId);
    if (line.isStreamed) earlier.lastMs += streamed.take(line, ms);
    const text = line.isStreamed ? undefined : textIn(line.record);
    const payload = line.isStreamed ? streamed.notedIn(line) : text && { text };
    if (payload) note(line, payload, ms);
    if (payload && line.isStreamed && line.name === TASK_IS_DONE && conversations.main)
      hearing.done([line.record["task_id"], line.record["tool_use_id"]], conversations.main);
  }

  /** The last answers of sub-agents, some thousands in a long session, would all wait for its end else. */
  function finishQuiet(conversation: Conversation): void {
    taken++;
    answering.delete(conversation);
    if (conversation.agentId !== undefined) answering.set(conversation, taken);
    for (const [quiet, at] of answering) {
      if (taken - at < QUIET) return;
      answering.delete(quiet);
      told.push(...state.finishCall(quiet));
      // The answer to what it was given last may be told elsewhere: of thousands the texts would wait for the session's end.
      if (isOver(quiet)) quiet.place = withoutPending(quiet.place);
    }
  }

  /** The tool call that started it is answered. */
  function isOver({ agent }: Conversation): boolean {
    return agent?.spawn !== undefined && !tools.has(agent.spawn.task.toolUseId);
  }

  function withTool(line: TranscriptLine): TranscriptLine | undefined {
    const inner = wrappedLine(line);
    if (inner !== undefined && !filed.has(inner.agentId ?? "")) return inner;
    notePlace(line, conversations.main);
    const { agentId, parentToolUseId } = inner ?? {};
    if (agentId !== undefined) {
      if (parentToolUseId !== undefined) spawns.answered(parentToolUseId, agentId);
      report.lost("progress of a sub-agent", "its file tells more");
    }
    return undefined;
  }

  /** A record that says nothing, and that another one may follow. */
  function notePlace({ uuid }: TranscriptLine, conversation: Conversation | undefined): void {
    if (uuid !== undefined) places.set(uuid, conversation?.place ?? START);
  }

  function note(line: TranscriptLine, payload: object, ms: number): void {
    const { name } = line;
    const agent = line.isSidechain ? conversations.known(line)?.agent : undefined;
    if (agent !== undefined) {
      told.push(spans.generic(agent, name, payload, { ms, order: line.number }));
      return;
    }
    // What happens before a prompt is answered belongs to the run that it begins.
    const run = runs.current;
    if (run === undefined || runs.isAsked) runs.keep({ number: line.number, name, payload, ms });
    else told.push(spans.generic(run, name, payload, { ms, order: line.number }));
  }

  /** What was typed ahead and comes nowhere else: somebody took it out, or an older version gave it the model and wrote no record of that. */
  function* untold(): Generator<SpanRecord> {
    for (const { number, name, text, ms } of queued.left()) {
      const run = runs.at(ms);
      if (run === undefined) runs.keep({ number, name, payload: { text }, ms });
      else yield spans.generic(run, name, { text }, { ms, order: number });
    }
  }

  /** What has a name and nothing else is no session yet. */
  function isBegun(): boolean {
    return (
      runs.at(earlier.lastMs) !== undefined || [...conversations.all()].some(({ agent }) => agent)
    );
  }

  return {
    id,
    take(line, file) {
      if (line.isStreamed) for (const one of streamed.linesOf(line)) take(one);
      else if (file === undefined) take(line);
      else take({ ...line, agentId: file.agentId, isSidechain: true }, file.agentId);
      return told.length === 0 ? NONE : told.splice(0);
    },
    odd({ number, ...payload }) {
      runs.keep({
        number,
        name: "unreadable line",
        payload: { line: number, ...payload },
        ms: earlier.lastMs,
      });
    },
    titled(text, order) {
      if (text === title?.text) return false;
      title = { text, order };
      runs.titled(text);
      return isBegun();
    },
    follows: state.parents.add,
    isNamed: conversations.isNamed,
    isAwaited: conversations.isAwaited,
    *finish(isGrowing = false) {
      const goesOn = isGrowing && streamed.isThere;
      const rest = goesOn ? opened : (record: SpanRecord) => record;
      // The call that asks for it may still come.
      if (!goesOn) for (const line of streamed.left()) take(line);
      for (const one of beginnings.left()) takeInOrder(one);
      for (const one of tails.left()) takeJudged(one);
      yield* told.splice(0);
      yield* state.heldCalls();
      for (const conversation of conversations.all()) {
        yield* [...state.finishCall(conversation), ...state.heldCalls()].map(rest);
        // The call that is given it may still come.
        if (!isGrowing) yield* unanswered.given(conversation, []);
      }
      // When a turn begins is told by its first answer.
      if (runs.isAsked && !goesOn) yield* runs.begin({ ms: earlier.lastMs, order: lastNumber });
      // A copy may have been made while it went on.
      if (!goesOn && source.toldBy !== "copy")
        for (const conversation of conversations.all()) awaited.cut(conversation, runs.current);
      for (const [key, tool] of tools) {
        if (tool.traceId === runs.current?.traceId) continue;
        yield spans.unfinishedTool(tool, tool.conversation.agent ?? { end: tool.start });
        tools.delete(key);
      }
      // What waits may still be handed on.
      if (!isGrowing) yield* untold();
      for (const { agent, agentId } of conversations.all())
        if (agent !== undefined && agentId !== undefined) yield spans.agent(agent, agentId);
      for (const record of runs.finish())
        yield record.parentSpanId === undefined ? rest(record) : record;
      if (spawns.untaken > 0)
        report.warn(
          `${id}: nothing is there of ${counted(spawns.untaken, "sub-agent")} that tool calls asked for`,
        );
      if (!isGrowing)
        for (let count = requests.unanswered; count > 0; count--)
          report.lost("request of which no answer was written", "nobody says what it took");
      const { dangling, circles } = state.parents.broken();
      report.repaired("record that follows one which is not here", FOLLOWS_THE_LAST, dangling);
      report.repaired("circle of records that follow each other", FOLLOWS_THE_LAST, circles);
      if (copied > 0 && own === 0) report.lost("session that is the beginning of another one");
      else if (title !== undefined && !isGrowing && isBegun())
        yield earlier.title(title.text, title.order);
      answering.clear();
      conversations.clear();
      state.clear();
      for (const { number, name } of runs.untold)
        report.warn(`${id}: no run holds line ${number} (${name})`);
    },
    earlier,
  };
}
