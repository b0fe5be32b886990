import { createIdTable, type IdTable } from "@thoughtflow/assemble";
import type { SpanRecord } from "@thoughtflow/schema";
import type { Conversation, OpenTool, Run } from "../conversation/conversation.ts";
import {
  type ConversationRuns,
  createConversationRuns,
  isAskedLast,
} from "../conversation/conversation-runs.ts";
import {
  type ConversationSource,
  type ConversationSpans,
  createConversationSpans,
} from "../conversation/conversation-spans.ts";
import { createPlaces, type Place, type Places } from "../conversation/places.ts";
import { createSpawns, type Spawns } from "../conversation/spawns.ts";
import { stepsOfTokens } from "../conversation/steps-of-tokens.ts";
import type { EarlierImports } from "../earlier-imports.ts";
import type { ImportReport } from "../import-format.ts";
import { type ImportedEdge, spanIdOf } from "../imported-span.ts";
import type { PlainObject } from "../plain-values.ts";
import { createRecordMap } from "../record-map.ts";
import { createRecordRows, type RecordRows } from "../record-rows.ts";
import { nameOfStep, type RecordStep } from "../record-step.ts";
import type { AgentMessages } from "./agent-messages.ts";
import { type AwaitedAnswers, createAwaitedAnswers } from "./awaited-answers.ts";
import { createEarlyResults, type EarlyResults } from "./early-results.ts";
import { createHeldCalls, type HeldCall } from "./held-calls.ts";
import { createNotedRequests, type NotedRequests } from "./noted-requests.ts";
import { createRecordParents, type RecordParents } from "./record-parents.ts";
import { promptOf, type TranscriptLine, titleOfPrompt } from "./records.ts";
import { SPAWNING_TOOLS } from "./spawning-tools.ts";
import type { Teammate } from "./teammates.ts";
import type { Teams } from "./teams.ts";
import type { ToldAnswers } from "./told-answers.ts";
import { createToldCalls, type ToldCalls } from "./told-calls.ts";

/** What is open and known in a session while its records are taken. */
export interface TranscriptState {
  readonly id: string;
  readonly source: ConversationSource;
  readonly report: ImportReport;
  readonly spans: ConversationSpans;
  /** Those that are complete and not handed on yet. */
  readonly told: SpanRecord[];
  readonly runs: ConversationRuns;
  readonly rows: RecordRows;
  /** What models were given beside messages. */
  readonly requests: NotedRequests;
  /** What is still to come. */
  readonly awaited: AwaitedAnswers;
  readonly places: Places;
  readonly parents: RecordParents;
  readonly spawns: Spawns;
  /** What agents write to each other. */
  readonly messages: AgentMessages;
  readonly teams: Teams;
  /** What asked for the member of a team that the session is of: what it is told first rests on that. Given once. */
  takeSpawn(line: TranscriptLine, ms: number): readonly ImportedEdge[];
  /** Those that nobody answered yet, the latest with an id by that. */
  readonly tools: Map<string, OpenTool>;
  /** How often a tool was asked for with this id: some providers count from 0 in every answer. */
  readonly asked: IdTable;
  readonly early: EarlyResults;
  /** What calls belong to, but for those that were copied. */
  readonly calls: ToldCalls;
  readonly steps: StepsOfRecords;
  /** Where the next call of a conversation goes on from, as its record says. */
  placeAfter(line: TranscriptLine, conversation: Conversation): Place;
  /** The step of another session that the next call goes on from; asked for once. */
  takeContinued(): string | undefined;
  /** Whether another session holds the record, too; what follows it is told by that. */
  noteCopy(line: TranscriptLine): boolean;
  /** Whether another session told the answer that a record is of. */
  isToldElsewhere(line: TranscriptLine): boolean;
  /** An answer with this id, and what it asked for, was copied from another session. */
  copied(messageId: string): void;
  /** The next call goes on from such an answer. */
  goesOnFrom(line: TranscriptLine): void;
  /** An answer is told, by this step. */
  answered(line: TranscriptLine, step: RecordStep): void;
  /** A conversation's answer is whole, as far as its next record tells. Gives what is complete by that. */
  finishCall(conversation: Conversation): readonly SpanRecord[];
  /** A record that comes after others tells the tokens of a call, which counts where the call is not handed on yet. */
  amendCall(messageId: string, message: PlainObject): void;
  /** The calls that more records might have told of. */
  heldCalls(): readonly SpanRecord[];
  /** Something happened in a conversation. */
  seen(conversation: Conversation, line: TranscriptLine, ms: number, isWork?: boolean): void;
  /** Lets go of what only further records need. */
  clear(): void;
}

/** Finds a record of another session, and the step that it led to; only where it says the same at the same time, if a record is given. */
export type FindEarlier = (
  uuid: string,
  copy?: TranscriptLine,
) => { readonly step: RecordStep | undefined } | undefined;

/** What the session's latest records led to, as other sessions may name it. */
export interface StepsOfRecords {
  get(uuid: string): RecordStep | undefined;
  set(uuid: string, step: RecordStep): void;
}

/** Simpler ids are the same by chance. */
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** What a session shares with the others of an import. */
export interface ImportedTogether {
  readonly report: ImportReport;
  /** The other session that holds a record: a resumed session goes on from it. */
  readonly earlier: FindEarlier;
  readonly steps: StepsOfRecords;
  /** What all sessions told. */
  readonly answers: ToldAnswers;
  /** What their agents write to each other. */
  readonly messages: AgentMessages;
  readonly teams: Teams;
  /** What a session has copied is told elsewhere. */
  readonly isElsewhere: EarlierImports["isElsewhere"];
}

/** What is known of a session before its records are taken. */
export interface KnownOfSession {
  /** The member of a team that works in it, if it is one's. */
  readonly teammate?: Teammate | undefined;
  readonly toldBy?: ConversationSource["toldBy"];
}

/** Of a session of which nothing was taken yet. */
export function createTranscriptState(
  id: string,
  { report, earlier, steps, answers, messages, teams, isElsewhere }: ImportedTogether,
  { teammate, toldBy }: KnownOfSession,
): TranscriptState {
  const source: ConversationSource = {
    source: "claude-code",
    sessionId: id,
    agentName: teammate?.name ?? "Claude Code",
    report,
    toldBy,
    ...(teammate && { tags: [`team:${teammate.team}`] }),
  };
  const spans = createConversationSpans(source);
  const rows = createRecordRows();
  const requests = createNotedRequests(spans);
  const awaited = createAwaitedAnswers();
  const places = createPlaces(rows);
  const parents = createRecordParents(rows);
  const spawns = createSpawns(SPAWNING_TOOLS);
  const tools = new Map<string, OpenTool>();
  const calls = createToldCalls();
  const held = createHeldCalls();
  const runs = createConversationRuns(spans, ending, titleOfPrompt);
  /** The records of it that another session holds too. */
  const copies = createRecordMap<true>(rows);
  const asking = { id, isCopy: toldBy === "copy" };
  let continues: string | undefined;
  let unspawned = teammate;

  /** The calls of a run that is over, and its tools that nobody answered. */
  function* ending(run: Run): Generator<SpanRecord> {
    yield* held.release().flatMap(spansOfCall);
    const over = [...tools].filter(([, tool]) => tool.traceId === run.traceId && !goesOn(tool));
    for (const [key, tool] of over) {
      tools.delete(key);
      yield spans.unfinishedTool(tool, run);
      if (isAskedLast(tool, run)) run.status ??= "abandoned";
    }
  }

  /** With the steps of what other inferences within its answer took. */
  function spansOfCall({ span, end, within }: HeldCall): readonly SpanRecord[] {
    const { traceId, spanId, parentSpanId = spanId } = span;
    return [span, ...stepsOfTokens(spans, { traceId, spanId: parentSpanId }, within, end)];
  }

  /** A sub-agent whose call was answered works in the background, and so do those that it asked for. */
  function goesOn({ conversation }: OpenTool): boolean {
    const asking = conversation.agent?.spawn?.task.toolUseId;
    if (asking === undefined) return false;
    const above = tools.get(asking);
    return above === undefined || goesOn(above);
  }

  /** A place behind the end of its conversation is one where somebody took it up again. */
  function placeAfter(line: TranscriptLine, { place, compacted }: Conversation): Place {
    const { parentUuid } = line;
    // A summary keeps the last messages that it stands for: what follows those follows the summary.
    if (compacted !== undefined) return place;
    const there = parentUuid === undefined ? undefined : places.get(parentUuid);
    // A resumed session may begin with a copy of the earlier one's records: the first that is no copy goes on from it.
    const isNext = there === undefined || copies.has(parentUuid ?? "");
    if (parentUuid !== undefined && isNext && !copies.has(line.uuid ?? "")) {
      const step = earlier(parentUuid)?.step;
      continues ??= step && nameOfStep(step);
    }
    return there !== undefined && there.turn < place.turn ? { ...there, turn: place.turn } : place;
  }

  function seen(conversation: Conversation, line: TranscriptLine, ms: number, isWork = true): void {
    conversation.last = ms;
    const end = { ms, order: line.number };
    if (conversation.agent !== undefined) conversation.agent.end = end;
    const run = runs.current;
    if (run === undefined || !isWork || ms < run.end.ms) return;
    // A sub-agent works on while a command for the program waits, which no answer may follow.
    const isOfRun =
      conversation.agent === undefined
        ? !runs.isNext
        : !runs.isAsked && conversation.agent.traceId === run.traceId;
    if (isOfRun) run.end = end;
  }

  return {
    id,
    source,
    report,
    spans,
    told: [],
    runs,
    rows,
    requests,
    awaited,
    places,
    parents,
    spawns,
    messages,
    teams,
    takeSpawn(line, ms) {
      const edge = unspawned && teams.spawnOf(unspawned, promptOf(line) ?? "", ms);
      unspawned = undefined;
      return edge === undefined ? [] : [edge];
    },
    tools,
    asked: createIdTable(),
    early: createEarlyResults(),
    calls,
    steps,
    placeAfter,
    takeContinued() {
      const step = continues;
      continues = undefined;
      return step;
    },
    noteCopy(line) {
      const { uuid } = line;
      if (uuid === undefined || earlier(uuid, line) === undefined || !UUID.test(uuid)) return false;
      copies.set(uuid, true);
      return true;
    },
    isToldElsewhere: (line) => answers.get(line, asking) !== undefined,
    copied: (messageId) => isElsewhere(id, spanIdOf("claude-code", id, "message", messageId)),
    goesOnFrom(line) {
      const step = answers.get(line, asking);
      if (step !== undefined) continues = nameOfStep(step);
    },
    answered: (line, step) => answers.add(line, id, step),
    finishCall(conversation) {
      const { call } = conversation;
      if (call === undefined) return [];
      const { messageId, end, within = [], input } = call;
      const characters = input.reduce((sum, { length }) => sum + length, 0);
      return spans
        .finishCall(conversation)
        .flatMap((span) => held.hold({ messageId, span, end, within, characters }))
        .flatMap(spansOfCall);
    },
    amendCall: held.amend,
    heldCalls: () => held.release().flatMap(spansOfCall),
    seen,
    clear() {
      tools.clear();
      calls.clear();
      places.clear();
      copies.clear();
      requests.clear();
      awaited.clear();
    },
  };
}
