import type { GenAiMessage, ToolCallPart } from "@thoughtflow/semconv";
import { answerBriefs, isAddedTo, isCutFrom } from "./cut-answers.ts";
import type { Tip } from "./history-chain.ts";
import { LruMap } from "./lru-map.ts";
import { answerUpTo } from "./plain-message.ts";
import type { KnownBefore, ObservedRequest } from "./session-match.ts";
import { toolCallsIn, wordsOfCalls } from "./tool-calls.ts";
import type { Ending, Twins } from "./twins.ts";

/**
 * What tells in the log of one program which call an input goes on from, where its words alone don't: somebody else's may say the
 * same, so that nothing of this is looked at where many people's calls are.
 */
export interface LogHistories {
  /** A call has an answer, one message a choice, which asked for these tools. */
  answered(ending: Ending, output: readonly GenAiMessage[], calls: readonly ToolCallPart[]): void;
  /** A call has failed, at `endMs`, or nothing tells that it did not. */
  hasFailed(ending: Ending, question: Tip, endMs: number): void;
  /**
   * The longest question that an input begins with, an answer behind it, where nobody logged what was answered; or, where the log's own answer
   * broke off or failed, what did not: a client may ask again by itself, or have more of a stream than its log.
   */
  unlogged(
    messages: readonly GenAiMessage[],
    tips: readonly Tip[],
    call: Pick<ObservedRequest, "asker" | "prompt">,
    kind?: "broken",
  ): KnownBefore | undefined;
  /**
   * The call whose answer an input shows cut short, as a client that interrupted it had it, or with more behind it; all behind the question is
   * new.
   */
  changed(messages: readonly GenAiMessage[], tips: readonly Tip[]): KnownBefore | undefined;
  /**
   * The call whose tools the last answer in an input tells of, behind what it has in common with an earlier call of that conversation: what
   * stands between was changed, as programs cut out what tools gave long ago.
   */
  edited(messages: readonly GenAiMessage[], common: KnownBefore): KnownBefore | undefined;
  /** The first of a few twins that asked tools for the same as the last answer in the first `length` messages and was not gone on from, else the last: some servers count ids anew. */
  asking(twins: Twins, messages: readonly GenAiMessage[], length: number): Ending | undefined;
  /** The call whose tools an input tells of, where what came before was cut off or is told in other words. */
  byToolIds(messages: readonly GenAiMessage[]): KnownBefore | undefined;
  /** The first of an agent that somebody asked for with the same messages, where nothing tells what was answered, or that anything was. */
  begunBefore(tips: readonly Tip[], call: Pick<ObservedRequest, "asker">): KnownBefore | undefined;
  /**
   * The first failed call of such an agent with the same messages that was not sent again yet; it is not noted that it is.
   *
   * @param call What failed after it began is none: several may be asked the same at once
   */
  failed(
    tips: readonly Tip[],
    call: Pick<ObservedRequest, "ms" | "asker">,
  ): KnownBefore | undefined;
}

const CONFIDENCE_UNLOGGED = 0.9;
const CONFIDENCE_CHANGED = 0.9;
const CONFIDENCE_TOOL_ID = 0.9;
const CONFIDENCE_FAILED = 0.95;
/** The provider's own: shorter ones are counted anew in each conversation. */
const LEAST_TOOL_ID = 16;

/** So many twins are looked through. */
const FEW = 100;

/** What somebody asks again later is something new. */
const LONGEST_WAIT_MS = 3_600_000;
/** So many calls that failed with the same messages wait to be sent again. */
const MOST_FAILED = 100;

/** @param limit how many tool calls, and failed questions, are remembered */
export function createLogHistories(questions: LruMap<Tip, Twins>, limit: number): LogHistories {
  const failures = new LruMap<Tip, { readonly ending: Ending; readonly endMs: number }[]>(limit);
  /** `null` where several calls were given the id. */
  const toolIds = new LruMap<string, Ending | null>(limit);

  function goingOn(ending: Ending, known: number, confidence: number): KnownBefore {
    ending.continued = true;
    return { ending, known, confidence };
  }

  /** The call that the last answer with an id of a tool call is of, and where that answer ends. */
  function byIds(messages: readonly GenAiMessage[], from: number) {
    for (let at = messages.length - 1; at >= from; at--) {
      const message = messages[at];
      if (message?.role !== "assistant") continue;
      for (const part of message.parts) {
        const ending = toolIds.get(String((part as { readonly id?: unknown }).id));
        if (ending != null) return { ending, known: at + 1 };
      }
    }
    return undefined;
  }

  return {
    hasFailed(ending, question, endMs) {
      const open = (failures.get(question) ?? []).filter((one) => !one.ending.continued);
      failures.set(question, [...open.slice(-MOST_FAILED), { ending, endMs }]);
    },
    answered(ending, output, calls) {
      ending.said = answerBriefs(output);
      for (const { id = "" } of calls) {
        if (id.length >= LEAST_TOOL_ID)
          toolIds.set(id, toolIds.get(id) === undefined ? ending : null);
      }
    },
    unlogged(messages, tips, { asker, prompt }, kind) {
      const answered = kind === "broken" ? false : undefined;
      for (let length = messages.length - 1; length > 0; length--) {
        if (messages[length]?.role !== "assistant") continue;
        const twins = questions.get(tips[length - 1] ?? "");
        const own = twins?.all.filter((one) => one.asker === asker) ?? [];
        const untold = (own.length > 0 ? own : (twins?.all ?? [])).filter(
          (one) => one.answered === answered,
        );
        const open = untold.filter(({ continued }) => !continued);
        const ending = open.find((one) => one.prompt === prompt) ?? open[0] ?? untold.at(-1);
        if (twins === undefined || ending === undefined) continue;
        return goingOn(ending, length, CONFIDENCE_UNLOGGED / twins.conversations);
      }
      return undefined;
    },
    changed(messages, tips) {
      const last = messages.findLastIndex(({ role }) => role === "assistant");
      for (let asked = last - 1; asked >= 0; asked--) {
        const twins = questions.get(tips[asked] ?? "");
        const kept = messages.slice(asked + 1, last + 1);
        const alike = (twins?.all ?? []).filter(({ said }) =>
          said?.some((one) => isCutFrom(one, kept) || isAddedTo(one, kept)),
        );
        const ending = alike.find(({ continued }) => !continued) ?? alike.at(-1);
        if (ending !== undefined)
          return goingOn(ending, asked + 1, CONFIDENCE_CHANGED / alike.length);
        // What was added to an answer may be all that the next one was asked.
        if (messages[asked]?.role !== "assistant") return undefined;
      }
      return undefined;
    },
    edited(messages, common) {
      const found = byIds(messages, common.known);
      const { conversation } = common.ending;
      return found?.ending.conversation === conversation
        ? goingOn(found.ending, found.known, CONFIDENCE_TOOL_ID)
        : undefined;
    },
    asking(twins, messages, length) {
      if (twins.all.length === 1 || twins.all.length > FEW) return undefined;
      const calls = toolCallsIn(answerUpTo(messages, length));
      const asked = calls.length > 0 ? wordsOfCalls(calls) : undefined;
      const alike = twins.all.filter((one) => one.asked === asked);
      return alike.find(({ continued }) => !continued) ?? alike.at(-1);
    },
    byToolIds(messages) {
      const found = byIds(messages, 0);
      return found && { ...goingOn(found.ending, 0, CONFIDENCE_TOOL_ID), isWindow: true };
    },
    failed(tips, { ms, asker }) {
      const alike = failures.get(tips.at(-1) ?? "") ?? [];
      const found = alike.find(
        ({ ending, endMs }) =>
          !ending.continued &&
          ending.asker === asker &&
          endMs <= ms &&
          ms - endMs <= LONGEST_WAIT_MS,
      );
      return found && { ...found, known: tips.length, confidence: CONFIDENCE_FAILED };
    },
    begunBefore(tips, { asker }) {
      const found = questions
        .get(tips.at(-1) ?? "")
        ?.all.find(
          ({ answered, continued, conversation, asker: own }) =>
            conversation.isAsked === true && answered === undefined && !continued && own === asker,
        );
      return found && { ending: found, known: tips.length, confidence: CONFIDENCE_UNLOGGED };
    },
  };
}
