import { hash } from "node:crypto";
import type { GenAiMessage } from "@thoughtflow/semconv";
import { atomsOf } from "./atoms.ts";

/** Names a history: equal for equal atoms in equal order. The empty history is `""`. */
export type Tip = string;

/**
 * The tip after one more message: a hash over the tip before and the message's atoms. A message without atoms
 * (instructions, reasoning) leaves the tip as it is.
 */
function tipAfter(before: Tip, message: GenAiMessage): Tip {
  let tip = before;
  for (const { key } of atomsOf(message)) tip = hash("sha256", `${tip}\n${key}`, "base64url");
  return tip;
}

interface Remembered {
  readonly before: Tip;
  readonly after: Tip;
}

/**
 * `tipAfter` that remembers its last answer for each message object, so that a history which grows by two
 * messages costs two hashes and not all of them.
 */
export function createTipMemo(): (before: Tip, message: GenAiMessage) => Tip {
  const memo = new WeakMap<GenAiMessage, Remembered>();
  return (before, message) => {
    const hit = memo.get(message);
    if (hit !== undefined && hit.before === before) return hit.after;
    const after = tipAfter(before, message);
    memo.set(message, { before, after });
    return after;
  };
}
