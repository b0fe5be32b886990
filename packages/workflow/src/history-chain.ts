import { hash } from "node:crypto";
import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { type Atom, atomsOf } from "./atoms.ts";
import { hasReminder, withoutReminders } from "./plain-message.ts";
import type { Conversation } from "./twins.ts";

/** Names a history: equal for equal atoms in equal order. The empty history is `""`. */
export type Tip = string;

/**
 * The tip after one more message: a hash over the tip before and the message's atoms. A message without atoms
 * (instructions, reasoning, reminders) leaves the tip as it is, and so do tools that the provider ran itself: clients send back all
 * of what they gave, less than that, or only the answer. Nor do an empty text and what a model thought aloud before its answer count.
 */
function tipAfter(before: Tip, message: GenAiMessage): Tip {
  let tip = before;
  for (const said of saidIn(message)) tip = hash("sha256", `${tip}\n${said}`, "base64url");
  return tip;
}

/** What counts of a message, piece by piece. */
export function saidIn(message: GenAiMessage): readonly string[] {
  return plainAtoms(message).flatMap(({ kind, key, parts }) => {
    const said = kind === "assistant" ? spoken(key) : key;
    return said === "" || parts.every(isServerTool) ? [] : [said];
  });
}

/** The key of an answer's text without thoughts in it, which clients drop, and space around it; empty where that is all. */
function spoken(key: string): string {
  const words = withoutThoughts(key.slice("assistant".length)).trim();
  return words === "" ? "" : `assistant ${words}`;
}

/** Not by a pattern, which would look for the end of each again. */
function withoutThoughts(text: string): string {
  let said = "";
  let from = 0;
  for (let start = text.indexOf("<think>"); start !== -1; start = text.indexOf("<think>", from)) {
    const end = text.indexOf("</think>", start);
    if (end === -1) break;
    said += text.slice(from, start);
    from = end + "</think>".length;
  }
  return said + text.slice(from);
}

function isServerTool({ type }: GenAiPart): boolean {
  return type === "server_tool_call" || type === "server_tool_call_response";
}

/** The atoms without reminders, which no model writes. */
function plainAtoms(message: GenAiMessage): readonly Atom[] {
  const atoms = atomsOf(message);
  if (message.role === "assistant" || !atoms.some(({ key }) => hasReminder(key))) return atoms;
  return atomsOf(withoutReminders(message));
}

/** Where parts stood last. */
interface Place {
  readonly before: Tip;
  readonly role: string;
  readonly after: Tip;
}

/** What is known of a message object. */
export interface KnownMessage {
  before: Tip;
  after: Tip;
  /** Where this very object was sent or given first. */
  owner: Conversation | undefined;
  /** What tells it from nearly all others, where somebody asked for that. */
  brief: number | undefined;
}

/** The message objects that were seen, as long as the program holds them. */
export interface KnownMessages {
  get(message: GenAiMessage): KnownMessage | undefined;
  /**
   * The message where a history stands at `before`. It remembers the last place of each object, so that a history
   * which grows by two messages costs two hashes and not all of them.
   */
  after(before: Tip, message: GenAiMessage): KnownMessage;
}

export function createKnownMessages(): KnownMessages {
  const known = createNotes<KnownMessage>();
  /** Equal messages have the same parts, where whoever reads them knows that they are equal. */
  const places = createNotes<Place>();

  function tipOf(before: Tip, message: GenAiMessage): Tip {
    const { role, parts } = message;
    const place = places.of(parts);
    if (place?.before === before && place.role === role) return place.after;
    const after = tipAfter(before, message);
    places.note(parts, { before, role, after });
    return after;
  }

  return {
    get: known.of,
    after(before, message) {
      const hit = known.of(message);
      if (hit === undefined) {
        const after = tipOf(before, message);
        const fresh = { before, after, owner: undefined, brief: undefined };
        known.note(message, fresh);
        return fresh;
      }
      if (hit.before !== before) {
        hit.before = before;
        hit.after = tipOf(before, message);
      }
      return hit;
    },
  };
}

/** Something noted of an object. */
interface Notes<T> {
  of(object: object): T | undefined;
  note(object: object, value: T): void;
}

/** A hidden property: a map of weakly held objects costs the more the more come and go. */
function createNotes<T>(): Notes<T> {
  const NOTE: unique symbol = Symbol("note");
  return {
    of: (object) => (object as { readonly [NOTE]?: T })[NOTE],
    note(object, value) {
      Reflect.defineProperty(object, NOTE, { value, configurable: true });
    },
  };
}
