import { isShort, preview } from "@thoughtflow/schema/preview";
import type { MakeupMessage, MakeupPart, PromptMakeup } from "@thoughtflow/semconv";

/** A part of a prompt in the words of the document. */
interface DocumentPart {
  readonly type: string;
  /** The text; of a long one that stands in the prompt the first 200 characters. */
  readonly value: string;
  readonly id?: string;
  readonly version?: string;
  readonly hash: string;
}

/** `prompt_provenance` as the original of the format has it, with messages, hashes and byte ranges added. */
export interface PromptProvenance {
  readonly parts: readonly DocumentPart[];
  readonly final_prompt?: string;
  /** The model call whose `final_prompt` is this one, too: every text is written once. */
  readonly final_prompt_of?: string;
  readonly assembly: readonly {
    readonly part: number;
    readonly start: number;
    readonly end: number;
    /** The same range in the prompt's UTF-8 bytes. */
    readonly start_byte: number;
    readonly end_byte: number;
  }[];
  readonly messages: readonly MakeupMessage[];
}

/** What `thoughtflow.prompt` says, as far as it can be true; `undefined` when it says nothing. */
export function makeupFrom(value: unknown): PromptMakeup | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { final_prompt: prompt, messages, parts } = value as Record<string, unknown>;
  if (typeof prompt !== "string" || !Array.isArray(messages) || !Array.isArray(parts)) {
    return undefined;
  }
  return {
    final_prompt: prompt,
    messages: messages.filter((message) => isIn(prompt, message) && isText(message.role)),
    parts: parts.filter(
      (part): part is MakeupPart =>
        typeof part === "object" &&
        part !== null &&
        isText(part.type) &&
        isText(part.hash) &&
        (part.start === undefined ? isText(part.value) : isIn(prompt, part)),
    ),
  };
}

export function provenanceFrom(
  { final_prompt: prompt, messages, parts }: PromptMakeup,
  told: string | undefined,
): PromptProvenance {
  const bytes = byteCounter(prompt);
  return {
    parts: parts.map((part) => {
      const { type, id, version, hash } = part;
      const text = textOfPart(prompt, part);
      return {
        type,
        value: part.start === undefined || isShort(text) ? text : preview(text),
        ...(id !== undefined && { id }),
        ...(version !== undefined && { version }),
        hash,
      };
    }),
    ...(told === undefined ? { final_prompt: prompt } : { final_prompt_of: told }),
    assembly: parts.flatMap(({ start, end }, part) =>
      start === undefined || end === undefined
        ? []
        : [{ part, start, end, start_byte: bytes(start), end_byte: bytes(end) }],
    ),
    messages,
  };
}

/** A part's whole text. */
export function textOfPart(prompt: string, { start, end, value = "" }: MakeupPart): string {
  return start === undefined ? value : prompt.slice(start, end);
}

/** UTF-8 bytes before a place; asked in ascending order each stretch is counted once. */
function byteCounter(text: string): (at: number) => number {
  let place = 0;
  let bytes = 0;
  return (at) => {
    if (at < place) return Buffer.byteLength(text.slice(0, at));
    bytes += Buffer.byteLength(text.slice(place, at));
    place = at;
    return bytes;
  };
}

function isIn(prompt: string, range: unknown): boolean {
  if (typeof range !== "object" || range === null) return false;
  const { start, end } = range as { readonly start?: unknown; readonly end?: unknown };
  return (
    Number.isInteger(start) &&
    Number.isInteger(end) &&
    0 <= Number(start) &&
    Number(start) <= Number(end) &&
    Number(end) <= prompt.length
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
