import { createHash } from "node:crypto";
import type { MakeupMessage, MakeupPart, PromptMakeup } from "@thoughtflow/semconv";
import { ATTR_THOUGHTFLOW_PROMPT, wordsOf } from "@thoughtflow/semconv";
import { type ComposedText, composedTexts, type FoundPart, partsIn } from "./composed-texts.ts";
import type { ModelCallContent } from "./content.ts";
import { historyOf } from "./materialise.ts";
import { processState } from "./process-state.ts";
import type { PromptMessage } from "./prompt.ts";
import type { PromptPart } from "./prompt-part.ts";
import { currentRedactor } from "./redaction.ts";

/** A text that a model is sent and, where the program composed it, what it was made of. */
interface SentText {
  readonly role: string;
  readonly text: string;
  readonly composed: ComposedText | undefined;
}

/** The prompt of a model call whose program composed at least one text of it. */
export interface SentPrompt {
  readonly texts: readonly SentText[];
}

const sent = processState("sent-prompts.v1", () => ({
  prompts: new WeakMap<ModelCallContent, { readonly prompt: SentPrompt | undefined }>(),
}));

/** Looks a call's texts up among the composed ones, once. `undefined` when none was composed. */
export function promptOfCall(content: ModelCallContent): SentPrompt | undefined {
  const known = sent.prompts.get(content);
  if (known !== undefined) return known.prompt;
  const prompt = composedTexts.isEmpty() ? undefined : lookUp(textsOf(content));
  sent.prompts.set(content, { prompt });
  return prompt;
}

/** Nobody asks for the prompt of this call any more. */
export function forgetPrompt(content: ModelCallContent): void {
  sent.prompts.delete(content);
}

/** The same for what `composePrompt` returned. */
export function promptOfComposed(
  composed: string | readonly PromptMessage[],
): SentPrompt | undefined {
  const messages =
    typeof composed === "string" ? [{ role: "system", content: composed }] : composed;
  return lookUp(messages.map(({ role, content }) => ({ role, text: content })));
}

function lookUp(texts: readonly Pick<SentText, "role" | "text">[]): SentPrompt | undefined {
  const found = texts.map((one) => ({ ...one, composed: composedTexts.find(one.text) }));
  return found.some(({ composed }) => composed !== undefined) ? { texts: found } : undefined;
}

/** Instructions wherever they stand, and what people said last: the rest of the history was the prompt of earlier calls. */
function textsOf(content: ModelCallContent): Pick<SentText, "role" | "text">[] {
  const history = historyOf(content);
  let turn = history.findLastIndex(({ role }) => role === "user");
  while (turn > 0 && history[turn - 1]?.role === "user") turn -= 1;
  const messages = history.filter(
    ({ role }, at) => role === "system" || role === "developer" || (role === "user" && at >= turn),
  );
  return [
    { role: "system", parts: content.dialect.systemInstructions(content.request) },
    ...messages,
  ]
    .map(({ role, parts }) => ({ role, text: wordsOf(parts) }))
    .filter(({ text }) => text !== "");
}

/** The prompt as it is written: redacted first, so that the ranges are those of what a reader sees. */
export function makeupJson({ texts }: SentPrompt): string {
  try {
    return JSON.stringify(makeupOf(texts));
  } catch {
    return '"[redacted: error]"';
  }
}

function makeupOf(texts: readonly SentText[]): PromptMakeup {
  const messages: MakeupMessage[] = [];
  const parts: MakeupPart[] = [];
  const beside = new Set<PromptPart>();
  let prompt = "";
  for (const { role, text, composed } of texts) {
    if (prompt !== "") prompt += "\n";
    const start = prompt.length;
    const shown = redacted(text);
    for (const { part, ...range } of piecesOf(text, composed, shown)) {
      parts.push({
        ...namesOf(part),
        hash: hashOf(shown.slice(range.start, range.end)),
        start: start + range.start,
        end: start + range.end,
      });
    }
    prompt += shown;
    messages.push({ role, start, end: prompt.length });
    for (const part of composed?.beside ?? []) beside.add(part);
  }
  for (const part of beside) {
    const value = redacted(part.value);
    parts.push({ ...namesOf(part), hash: hashOf(value), value });
  }
  return { final_prompt: prompt, messages, parts };
}

const UNATTRIBUTED: PromptPart = { type: "unattributed", value: "" };

/** All of a text in pieces, in its redacted form; separators between two parts are nobody's. */
function piecesOf(
  text: string,
  composed: ComposedText | undefined,
  shown: string,
): readonly FoundPart[] {
  if (composed === undefined) return [{ part: UNATTRIBUTED, start: 0, end: shown.length }];
  const found = wholeCharacters(text, partsIn(text, composed));
  const pieces: FoundPart[] = [];
  let at = 0;
  for (const one of found) {
    const gap = text.slice(at, one.start);
    const isSeparator = pieces.length > 0 && gap === composed.separator;
    if (gap !== "" && !isSeparator) pieces.push({ part: UNATTRIBUTED, start: at, end: one.start });
    pieces.push(one);
    at = one.end;
  }
  if (at < text.length) pieces.push({ part: UNATTRIBUTED, start: at, end: text.length });
  return shown === text ? pieces : placesAfterRedaction(text, pieces, shown);
}

/** A boundary inside a surrogate pair goes behind the pair. */
function wholeCharacters(text: string, found: readonly FoundPart[]): readonly FoundPart[] {
  const behindPair = (at: number): number =>
    at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at;
  return found.map(({ part, start, end }) => ({
    part,
    start: behindPair(start),
    end: behindPair(end),
  }));
}

/**
 * Masking changes lengths. Pieces and the gaps between them are masked by themselves and found again from both ends;
 * what lies between, where a secret goes over the end of a piece, nobody can tell apart.
 */
function placesAfterRedaction(
  text: string,
  pieces: readonly FoundPart[],
  shown: string,
): readonly FoundPart[] {
  const front: FoundPart[] = [];
  const back: FoundPart[] = [];
  let [start, at] = [0, 0];
  for (const { part, ...piece } of pieces) {
    const gap = redacted(text.slice(at, piece.start));
    const masked = redacted(text.slice(piece.start, piece.end));
    if (!shown.startsWith(gap + masked, start)) break;
    front.push({ part, start: start + gap.length, end: start + gap.length + masked.length });
    start += gap.length + masked.length;
    at = piece.end;
  }
  if (front.length === pieces.length) return front;
  let [end, until] = [shown.length, text.length];
  for (const { part, ...piece } of pieces.slice(front.length).reverse()) {
    const tail =
      redacted(text.slice(piece.start, piece.end)) + redacted(text.slice(piece.end, until));
    const from = end - tail.length;
    if (from < start || !shown.startsWith(tail, from)) break;
    const length = redacted(text.slice(piece.start, piece.end)).length;
    back.unshift({ part, start: from, end: from + length });
    [end, until] = [from, piece.start];
  }
  const between = end > start ? [{ part: UNATTRIBUTED, start, end }] : [];
  return [...front, ...between, ...back];
}

function redacted(text: string): string {
  return text === "" ? text : currentRedactor().text(text, ATTR_THOUGHTFLOW_PROMPT);
}

function namesOf({ type, id, version }: PromptPart): Pick<MakeupPart, "type" | "id" | "version"> {
  return {
    type: redacted(String(type)),
    ...(id !== undefined && { id: redacted(String(id)) }),
    ...(version !== undefined && { version: redacted(String(version)) }),
  };
}

const HASH_DIGITS = 16;

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);
}
