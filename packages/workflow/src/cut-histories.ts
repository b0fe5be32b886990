import { type GenAiMessage, isTextPart } from "@thoughtflow/semconv";
import { atomsOf } from "./atoms.ts";
import type { KnownMessages } from "./history-chain.ts";
import { LruMap } from "./lru-map.ts";
import type { Conversation } from "./twins.ts";

/** Finds the conversation of a history that has lost its beginning. */
export interface CutHistories {
  answered(message: GenAiMessage, conversation: Conversation): void;
  /**
   * The conversation of which an input shows the end alone: its last answer was given there, and the message object
   * before it was sent there. Neither is enough: people share words, and programs share examples.
   */
  find(messages: readonly GenAiMessage[]): Conversation | undefined;
}

/** How many conversations are remembered to have heard one answer. */
const MAX_LISTENERS = 1_000;

/** @param limit how many answers are remembered */
export function createCutHistories(seen: KnownMessages, limit: number): CutHistories {
  const listeners = new LruMap<string, Conversation | Set<Conversation>>(limit);
  return {
    answered(message, conversation) {
      const brief = briefOf(message);
      const known = listeners.get(brief);
      if (known === undefined) listeners.set(brief, conversation);
      else if (known instanceof Set) {
        if (known.size < MAX_LISTENERS) known.add(conversation);
      } else if (known !== conversation) {
        listeners.set(brief, new Set([known, conversation]));
      }
    },
    find(messages) {
      const at = messages.findLastIndex(({ role }) => role === "assistant");
      const [before, last] = messages.slice(Math.max(0, at - 1), at + 1);
      if (before === undefined || last === undefined) return undefined;
      const owner = seen.get(last)?.owner ?? seen.get(before)?.owner;
      if (owner === undefined) return undefined;
      const known = listeners.get(briefOf(last));
      const isHeard = known instanceof Set ? known.has(owner) : known === owner;
      return isHeard ? owner : undefined;
    },
  };
}

/** Enough of a message to ask further; costs no hash. */
function briefOf(message: GenAiMessage): string {
  const part = message.parts.at(-1);
  if (part !== undefined && isTextPart(part)) {
    return `${part.content.length} ${part.content.slice(0, 64)}`;
  }
  const key = atomsOf(message).at(-1)?.key ?? "";
  return `${key.length} ${key.slice(0, 64)}`;
}
