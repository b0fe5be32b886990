import type { GenAiMessage } from "@thoughtflow/semconv";
import { isReasoningPart, isTextPart, toolRequestIn, toolResponseIn } from "@thoughtflow/semconv";

/**
 * The smallest piece of a conversation that becomes a step of its own, with a key that is equal when the same
 * piece is sent again in another shape (two Responses items or one chat message, an answer object or a copy).
 */
export interface Atom {
  readonly kind: "user" | "assistant" | "tool_call" | "tool_response";
  readonly key: string;
  /** The parts of the message this atom is made of. */
  readonly parts: GenAiMessage["parts"];
  readonly role: string;
}

/**
 * The atoms of a message, in order. System and developer messages have none: they often hold the time of day,
 * and a conversation stays the same when its instructions change. Reasoning has none: it is dropped or
 * encrypted on its way back.
 */
export function atomsOf(message: GenAiMessage): readonly Atom[] {
  const { role } = message;
  if (role === "system" || role === "developer") return [];
  const atoms: Atom[] = [];
  let rest: GenAiMessage["parts"][number][] = [];
  const flush = (): void => {
    if (rest.length === 0) return;
    const kind = role === "assistant" ? "assistant" : "user";
    atoms.push({ kind, key: `${kind} ${textKey(rest)}`, parts: rest, role });
    rest = [];
  };
  for (const part of message.parts) {
    if (isReasoningPart(part)) continue;
    const request = toolRequestIn(part);
    const response = toolResponseIn(part);
    if (request !== undefined) {
      flush();
      const key = request.id || `${request.name} ${JSON.stringify(request.arguments ?? null)}`;
      atoms.push({ kind: "tool_call", key: `call ${key}`, parts: [part], role });
    } else if (response !== undefined) {
      flush();
      const key = `returned ${response.id ?? ""} ${responseKey(response.response)}`;
      atoms.push({ kind: "tool_response", key, parts: [part], role });
    } else {
      rest.push(part);
      // The items of an answer are one message, and several when they are sent back: what they share is their parts.
      if (role === "assistant") flush();
    }
  }
  flush();
  return atoms;
}

/** A text as it is, behind a sign that no JSON begins with: it may be long. */
function responseKey(response: unknown): string {
  return typeof response === "string" ? `=${response}` : JSON.stringify(response ?? null);
}

function textKey(parts: GenAiMessage["parts"]): string {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && isTextPart(only)) return only.content;
  return JSON.stringify(parts);
}
