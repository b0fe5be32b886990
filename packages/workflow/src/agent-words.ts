import { codexAgentWords } from "./codex-agent-words.ts";
import { taskNotices } from "./task-notices.ts";

const OPENING =
  /^\s*(?:Another Claude session sent a message[^\n]*:\s*)?<(?:teammate|agent|cross-session)-message[\s>]/;
const MESSAGES =
  /<(teammate|agent|cross-session)-message((?:\s+[\w-]+="[^"]*")*)\s*>([\s\S]*?)(?:<\/\1-message>|$)/g;
const NAME = /\s(?:teammate_id|from)="([^"]+)"/;
/** Who reads the beginning of a text in one line needs no more. */
const READ = 4_000;

/**
 * What other agents said, each after its name, where Claude Code or Codex gives an agent that as if a user had said it:
 * `alice: Two tests fail.` So is what they say of work in the background that is done. `undefined` of other texts. Of long ones the beginning.
 */
export function agentWords(text: string): string | undefined {
  const beginning = text.slice(0, READ);
  if (!OPENING.test(beginning)) return taskNotices(beginning) ?? codexAgentWords(text);
  const said = [...beginning.matchAll(MESSAGES)].flatMap(([, , attributes = "", words = ""]) => {
    const name = NAME.exec(attributes)?.[1];
    if (words.trim() === "") return [];
    return [name === undefined ? words.trim() : `${name}: ${words.trim()}`];
  });
  return said.join(" · ") || undefined;
}
