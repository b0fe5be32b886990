import { type GenAiMessage, isTextPart } from "@thoughtflow/semconv";
import { isInstruction, systemPromptOf } from "@thoughtflow/workflow";
import type { LoggedExchange } from "../requests/logged-exchange.ts";

/** What Pi, and what is built on it, says before the images of tools: a message of the role `tool` holds none. */
const IMAGES_OF_TOOLS = "Attached image(s) from tool result:";
/** Whom Pi asks to sum up a history, or a branch that somebody left, and what it gives it. */
const SUMMARISER = /^You are a context summarization assistant\b/;
const HISTORY = /^\s*<conversation>/;

/** A program said the last of these in a person's place: its request is no turn of its own. */
export function isOfProgram(asked: Pick<LoggedExchange, "messages" | "system">): boolean {
  const last = asked.messages.findLast((one) => !isInstruction(one));
  const [first] = textsOf(last);
  if (last?.role !== "user" || first === undefined) return false;
  return (
    first === IMAGES_OF_TOOLS || (SUMMARISER.test(systemPromptOf(asked)) && HISTORY.test(first))
  );
}

function textsOf(message: GenAiMessage | undefined): readonly string[] {
  return (message?.parts ?? []).filter(isTextPart).map(({ content }) => content);
}
