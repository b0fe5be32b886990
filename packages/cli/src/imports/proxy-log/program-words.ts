import { type GenAiMessage, isTextPart } from "@thoughtflow/semconv";
import { isInstruction, withoutReminders } from "@thoughtflow/workflow";

/** What `/compact` asks, behind a warning to call no tools since 2.1; of itself, too, where the history is full. */
const SUMMARY = /^[ \t]*Your task is to create a detailed summary of /m;

/** What a skill or a tool that was found says beside the result, how an answer in a form is asked for, and a search of a model. */
const PROMPTS =
  /^(?:Base directory for this skill: |Tool loaded\.$|\[structured-output-enforce\]|Perform a web search for the query: )/;

/** Claude Code said the last of these in a person's place. */
export function isOfProgram(messages: readonly GenAiMessage[]): boolean {
  const last = messages.findLast((one) => !isInstruction(one));
  if (last?.role !== "user") return false;
  const texts = withoutReminders(last).parts.filter(isTextPart);
  if (texts.some(({ content }) => SUMMARY.test(content))) return true;
  return texts.length > 0 && texts.every(({ content }) => PROMPTS.test(content));
}
