import { type GenAiMessage, isToolCallPart, wordsOf } from "@thoughtflow/semconv";

/** An answer, as far as it is kept to be known by when a client that interrupted it sends back what it had of it. */
export interface AnswerBrief {
  /** Of its words, 256 characters at most. */
  readonly beginning: string;
  /** Of all its words. */
  readonly characters: number;
  /** How many tools it asks. */
  readonly calls: number;
}

/** Characters: two answers to one question that begin with so many alike are one. */
const BEGINNING = 256;

/** Fewer characters begin many answers: they tell nothing of which one was cut. */
const LEAST = 8;

/** Those of the answers that have words. */
export function answerBriefs(output: readonly GenAiMessage[]): readonly AnswerBrief[] {
  return output.flatMap((answer) => {
    const { words, calls } = saidIn([answer]);
    if (words === "") return [];
    // A slice would hold the whole text.
    const beginning = JSON.parse(JSON.stringify(words.slice(0, BEGINNING))) as string;
    return [{ beginning, characters: words.length, calls }];
  });
}

/** Whether messages say how an answer began, and less than it. */
export function isCutFrom(brief: AnswerBrief, messages: readonly GenAiMessage[]): boolean {
  const { words, calls } = saidIn(messages);
  const isLess = words.length < brief.characters || calls < brief.calls;
  const isMore = words.length > brief.characters || calls > brief.calls;
  const tells = words.length >= LEAST || (words !== "" && words.length === brief.characters);
  return tells && isLess && !isMore && brief.beginning.startsWith(words.slice(0, BEGINNING));
}

/** Whether messages say all of an answer, and more in lines below it: programs without tool calls write there what a tool gave. */
export function isAddedTo(brief: AnswerBrief, messages: readonly GenAiMessage[]): boolean {
  const { words, calls } = saidIn(messages);
  const isMore = brief.characters >= LEAST && words[brief.characters] === "\n";
  return isMore && calls === brief.calls && words.startsWith(brief.beginning);
}

/** The words of messages, and how many tools they ask. */
function saidIn(messages: readonly GenAiMessage[]): {
  readonly words: string;
  readonly calls: number;
} {
  const parts = messages.flatMap((message) => message.parts);
  return { words: wordsOf(parts).trimEnd(), calls: parts.filter(isToolCallPart).length };
}
