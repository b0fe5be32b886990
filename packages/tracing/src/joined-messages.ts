import type { TextBatch } from "./kept-texts.ts";
import { keepTexts } from "./kept-texts.ts";
import type { MaterialisedMessage } from "./materialised-message.ts";
import { processState } from "./process-state.ts";

/** The messages of one input as a JSON list that is still open at its end. */
interface Joined {
  readonly messages: readonly MaterialisedMessage[];
  readonly batch: TextBatch<{ readonly json: string }>;
}

/** By the last message. The next input of a conversation begins with all of this one. */
const remembered = processState(
  "joined-messages.v1",
  () => new WeakMap<MaterialisedMessage, Joined>(),
);

/** How many messages a turn adds, for the most part: an answer, outputs of tools, a question. */
const NEW_MESSAGES = 8;

/**
 * Messages as a JSON list. What an earlier input has told already is not copied: the engine keeps a text that was
 * appended to in pieces, until somebody looks at its characters.
 */
export function joinMessages(messages: readonly MaterialisedMessage[]): string {
  const last = messages.at(-1);
  if (last === undefined) return "[]";
  const earlier = earlierOf(messages);
  const text = continued(earlier, messages);
  if (earlier?.messages.length !== messages.length) {
    if (earlier !== undefined) forget(earlier);
    remembered.set(last, { messages, batch: keepTexts([{ json: text }]) });
  }
  return `${text}]`;
}

function continued(earlier: Joined | undefined, messages: readonly MaterialisedMessage[]): string {
  if (earlier === undefined) return `[${messages.map(({ json }) => json).join(",")}`;
  let text = earlier.batch.messages[0]?.json ?? "";
  for (const { json } of messages.slice(earlier.messages.length)) text += `,${json}`;
  return text;
}

/** The longest of those remembered that these messages begin with. */
function earlierOf(messages: readonly MaterialisedMessage[]): Joined | undefined {
  const least = Math.max(0, messages.length - 1 - NEW_MESSAGES);
  for (let at = messages.length - 1; at >= least; at--) {
    const known = remembered.get(messages[at] as MaterialisedMessage);
    if (known === undefined || known.batch.messages.length === 0) continue;
    if (known.messages.length === at + 1 && known.messages.every((one, n) => one === messages[n]))
      return known;
  }
  return undefined;
}

/** The text would be held twice. */
function forget(joined: Joined): void {
  remembered.delete(joined.messages.at(-1) as MaterialisedMessage);
  joined.batch.messages = [];
}
