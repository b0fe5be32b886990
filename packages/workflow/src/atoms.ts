import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { isReasoningPart, isTextPart, toolRequestIn, toolResponseIn } from "@thoughtflow/semconv";
import { isInstruction } from "./plain-message.ts";

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
  const { role, parts } = message;
  if (isInstruction(message)) return [];
  // Mostly there is one.
  const [only] = parts;
  if (only !== undefined && parts.length === 1)
    return isReasoningPart(only) ? [] : [atomOf(parts, kindOfTool(only), role)];
  const atoms: Atom[] = [];
  let rest: GenAiPart[] = [];
  for (const part of parts) {
    if (isReasoningPart(part)) continue;
    const kind = kindOfTool(part);
    if (kind === undefined) rest.push(part);
    // The items of an answer are one message, and several when they are sent back: what they share is their parts.
    if (rest.length > 0 && (kind !== undefined || role === "assistant")) {
      atoms.push(atomOf(rest, undefined, role));
      rest = [];
    }
    if (kind !== undefined) atoms.push(atomOf([part], kind, role));
  }
  if (rest.length > 0) atoms.push(atomOf(rest, undefined, role));
  return atoms;
}

/** @param kind absent where the parts are of no tool */
function atomOf(parts: Atom["parts"], kind: ReturnType<typeof kindOfTool>, role: string): Atom {
  return new MessageAtom(kind ?? (role === "assistant" ? "assistant" : "user"), parts, role);
}

function kindOfTool(part: GenAiPart): "tool_call" | "tool_response" | undefined {
  if (toolRequestIn(part) !== undefined) return "tool_call";
  return toolResponseIn(part) === undefined ? undefined : "tool_response";
}

/** Makes its key when somebody compares it: it may be long, and mostly an atom goes where nothing is. */
class MessageAtom implements Atom {
  readonly kind: Atom["kind"];
  readonly parts: Atom["parts"];
  readonly role: string;
  #key: string | undefined;

  constructor(kind: Atom["kind"], parts: Atom["parts"], role: string) {
    this.kind = kind;
    this.parts = parts;
    this.role = role;
  }

  get key(): string {
    this.#key ??= keyOf(this);
    return this.#key;
  }
}

function keyOf({ kind, parts }: Pick<Atom, "kind" | "parts">): string {
  const [part] = parts;
  const request = part && toolRequestIn(part);
  if (request !== undefined)
    return `call ${request.id || `${request.name} ${JSON.stringify(request.arguments ?? null)}`}`;
  const response = part && toolResponseIn(part);
  if (response !== undefined)
    return `returned ${response.id ?? ""} ${responseKey(response.response)}`;
  return `${kind} ${textKey(parts)}`;
}

/** A text as it is, behind a sign that no JSON begins with: it may be long. */
function responseKey(response: unknown): string {
  return typeof response === "string" ? `=${response}` : JSON.stringify(response ?? null);
}

function textKey(parts: GenAiMessage["parts"]): string {
  // Mostly there is one.
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && isTextPart(only)) return only.content;
  return JSON.stringify(parts);
}
