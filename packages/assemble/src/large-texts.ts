import { createHash } from "node:crypto";
import type {
  ContentAttributes,
  ContentList,
  FlowRecord,
  Session,
  SpanRecord,
} from "@thoughtflow/schema";
import { isContentList } from "@thoughtflow/schema/content-list";
import { isText, type StoredText } from "@thoughtflow/schema/stored-text";
import { ATTR_GEN_AI_INPUT_MESSAGES } from "@thoughtflow/semconv";

/** UTF-8 bytes; a field of more becomes `{ "$blob": { sha256, bytes, media_type } }`. */
const LARGEST_INLINE = 1024 * 1024;

/** A text that stands beside the document. */
export interface LargeText {
  /** Of the text's UTF-8 bytes, 64 hex digits. */
  readonly sha256: string;
  readonly text: string;
}

/** The texts above 1 MiB in the payloads and states of a session, each once, one at a time in memory. */
export function* largeTexts(session: Pick<Session, "conversations">): Generator<LargeText> {
  const known = new Set<string>();
  for (const value of contentOf(session)) {
    for (const text of textsIn(value)) {
      if (!isLarge(text)) continue;
      const sha256 = sha256Of(text);
      if (known.has(sha256)) continue;
      known.add(sha256);
      yield { sha256, text };
    }
  }
}

/**
 * A payload or state with the hashes of its large texts in their places; the value itself when nothing in it is large.
 * Depth is bounded: content is cut at 64 levels when it is recorded.
 */
export function withoutLargeTexts(value: unknown): unknown {
  if (typeof value === "string") {
    if (!isLarge(value)) return value;
    const [sha256, bytes] = [sha256Of(value), Buffer.byteLength(value)];
    return { $blob: { sha256, bytes, media_type: "text/plain; charset=utf-8" } };
  }
  if (Array.isArray(value)) return changed(value, withoutLargeTexts);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  const split = changed(entries, (entry): [string, unknown] => {
    const inner = withoutLargeTexts(entry[1]);
    return inner === entry[1] ? entry : [entry[0], inner];
  });
  return split === entries ? value : Object.fromEntries(split);
}

/** Whether any text of their documents could be large: without reading those that are stored. */
export function mayHoldLargeTexts(records: Iterable<FlowRecord>): boolean {
  const seen = new WeakSet<object>();
  for (const record of records) {
    if (!("attributes" in record)) continue;
    const { attributes, content, status, events } = record;
    if (holdsLargeText(attributes)) return true;
    // What went wrong stands in payloads, too.
    if (mostBytes(status.message ?? "") > LARGEST_INLINE) return true;
    if (events.some((event) => holdsLargeText(event.attributes))) return true;
    for (const name in content) {
      const isHistory = name === ATTR_GEN_AI_INPUT_MESSAGES;
      if (longestIn(content[name], isHistory, seen) > LARGEST_INLINE) return true;
    }
  }
  return false;
}

function holdsLargeText(attributes: SpanRecord["attributes"]): boolean {
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === "string" && mostBytes(value) > LARGEST_INLINE) return true;
  }
  return false;
}

/** Bytes of the longest text that may come of it: each message of a history is its own, other pieces may be joined. */
function longestIn(
  content: ContentAttributes[string] | undefined,
  isHistory: boolean,
  seen: WeakSet<object>,
): number {
  if (content === undefined) return 0;
  if (isText(content)) return mostBytes(content);
  let bytes = 0;
  if (!isContentList(content)) {
    for (const piece of content) bytes = together(bytes, piece, isHistory);
    return bytes;
  }
  for (let at: ContentList | undefined = content; at !== undefined; at = at.before) {
    if (isHistory && seen.has(at)) break;
    if (isHistory) seen.add(at);
    bytes = together(bytes, at.last, isHistory);
  }
  return bytes;
}

function together(bytes: number, piece: string | StoredText, isHistory: boolean): number {
  return isHistory ? Math.max(bytes, mostBytes(piece)) : bytes + mostBytes(piece);
}

/** UTF-8 has at most three bytes for each code unit. */
function mostBytes(text: string | StoredText): number {
  return typeof text === "string" ? text.length * 3 : text.bytes;
}

function isLarge(text: string): boolean {
  // Short texts need no counting.
  return mostBytes(text) > LARGEST_INLINE && Buffer.byteLength(text) > LARGEST_INLINE;
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function* contentOf(session: Pick<Session, "conversations">): Generator<unknown> {
  for (const run of session.conversations) {
    yield [run.initial_state, run.final_state];
    for (const step of run.steps) yield [step.payload_started, step.payload_completed];
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** The list itself when no item changes. */
function changed<T>(list: T[], change: (item: T) => T): T[] {
  const next = list.map(change);
  return next.some((item, i) => item !== list[i]) ? next : list;
}
