import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_PROMPT,
  isTextPart,
} from "@thoughtflow/semconv";
import { noteOf } from "./bounded-content.ts";
import type { ModelCallContent, SpanContent, ValuesContent } from "./content.ts";
import { contentOf } from "./content.ts";
import type { ContentTexts } from "./content-capture.ts";
import { keepTexts, type TextBatch } from "./kept-texts.ts";
import { inputMessagesOf, outputMessagesOf } from "./materialise.ts";
import { processState } from "./process-state.ts";
import { makeupJson, promptOfCall, type SentPrompt } from "./prompt-makeup.ts";
import { redactionGeneration, toContentJson } from "./redaction.ts";

/**
 * Content as redacted JSON text by attribute name: `gen_ai.input.messages` and `gen_ai.output.messages` in pieces,
 * one for each message, everything else whole. What has nothing to show is left out. Each text is made once,
 * whoever asks and however often.
 */
export function contentAttributesOf(content: SpanContent): ContentTexts {
  const attributes: Record<string, string | readonly string[]> = {};
  for (const name of contentAttributeNames(content)) {
    attributes[name] = contentAttribute(content, name);
  }
  return attributes;
}

/** The names that `contentAttributesOf` gives, found without making any text. */
export function contentAttributeNames(content: SpanContent): readonly string[] {
  if ("values" in content) {
    return Object.keys(content.values).filter((name) => content.values[name] !== undefined);
  }
  const { dialect, request, response, letGo } = content;
  if (letGo !== undefined) return letGo.names;
  const names: string[] = [];
  if (dialect.systemInstructions(request).length > 0) names.push(ATTR_GEN_AI_SYSTEM_INSTRUCTIONS);
  if (dialect.inputItems(request).length > 0) names.push(ATTR_GEN_AI_INPUT_MESSAGES);
  if (response !== undefined) names.push(ATTR_GEN_AI_OUTPUT_MESSAGES);
  if (dialect.toolDefinitions(request).length > 0) names.push(ATTR_GEN_AI_TOOL_DEFINITIONS);
  if (dialect.outputSchema?.(request) !== undefined) names.push(ATTR_THOUGHTFLOW_OUTPUT_SCHEMA);
  if (promptOfCall(content) !== undefined) names.push(ATTR_THOUGHTFLOW_PROMPT);
  return names;
}

/** One of `contentAttributeNames` as text. */
export function contentAttribute(content: SpanContent, name: string): string | readonly string[] {
  if ("values" in content) return valueJson(content, name);
  if (content.letGo !== undefined) return JSON.stringify([noteOf(content.letGo.characters)]);
  switch (name) {
    case ATTR_GEN_AI_INPUT_MESSAGES:
      return inputMessagesOf(content).map(({ json }) => json);
    case ATTR_GEN_AI_OUTPUT_MESSAGES:
      return outputMessagesOf(content).map(({ json }) => json);
    case ATTR_GEN_AI_SYSTEM_INSTRUCTIONS:
      return instructionsJson(content);
    case ATTR_THOUGHTFLOW_OUTPUT_SCHEMA:
      return outputSchemaJson(content);
    case ATTR_THOUGHTFLOW_PROMPT:
      return promptJson(promptOfCall(content));
    default:
      return toolDefinitionsJson(content);
  }
}

/** A text with what it was made of; it is made anew when all texts together were more than may be kept. */
interface RememberedText {
  readonly generation: number;
  readonly source: unknown;
  readonly batch: TextBatch<{ readonly json: string }>;
}

/** A `Map` or a `WeakMap`. */
interface Texts<Key> {
  get(key: Key): RememberedText | undefined;
  set(key: Key, text: RememberedText): unknown;
}

const remembered = processState("content-text.v5", () => ({
  instructions: new Map<string, RememberedText>(),
  tools: new WeakMap<object, RememberedText>(),
  schemas: new WeakMap<object, RememberedText>(),
  prompts: new WeakMap<SentPrompt, RememberedText>(),
}));

function valueJson(content: ValuesContent, name: string): string {
  const value = content.values[name];
  if (name === ATTR_THOUGHTFLOW_PROMPT) return promptJson(value as SentPrompt | undefined);
  return recall(textsOf(content), name, value, () => toContentJson(value, name));
}

/** The same for every copy of this package. */
const TEXTS: unique symbol = Symbol.for("thoughtflow.content-texts.v1");

interface WithTexts {
  readonly [TEXTS]?: Map<string, RememberedText>;
}

/** Beside the values, hidden: in a map of weakly held contents the engine would keep the texts until its next full collection. */
function textsOf(content: ValuesContent): Map<string, RememberedText> {
  const known = (content as WithTexts)[TEXTS];
  if (known !== undefined) return known;
  const texts = new Map<string, RememberedText>();
  Reflect.defineProperty(content, TEXTS, { value: texts });
  return texts;
}

/**
 * Forgets the texts of a span's plain values that its attributes don't show: for whoever has written an ended span down, so
 * that they are in memory no longer than the span's own record. Another who asks has them made again.
 */
export function letTextsGo(span: { readonly attributes: object }): void {
  const content = contentOf(span);
  if (content === undefined || !("values" in content)) return;
  for (const [name, { batch }] of textsOf(content))
    if (!Object.hasOwn(span.attributes, name)) batch.messages = [];
}

function promptJson(prompt: SentPrompt | undefined): string {
  if (prompt === undefined) return "null";
  return recall(remembered.prompts, prompt, prompt, () => makeupJson(prompt));
}

/** A program has few instructions; one that writes the time into them must not fill the memory. */
const INSTRUCTIONS_KEPT = 32;

function instructionsJson({ dialect, request }: ModelCallContent): string {
  const parts = dialect.systemInstructions(request);
  const write = (): string => toContentJson(parts, ATTR_GEN_AI_SYSTEM_INSTRUCTIONS);
  const [only] = parts;
  if (parts.length !== 1 || only === undefined || !isTextPart(only)) return write();
  const { instructions } = remembered;
  const text = only.content;
  if (instructions.size >= INSTRUCTIONS_KEPT && !instructions.has(text)) instructions.clear();
  const generation = redactionGeneration();
  const known = textOf(instructions.get(text), generation);
  if (known !== undefined) return known;
  const json = write();
  // The map holds the program's text beside ours.
  const batch = keepTexts([{ json }, { json: text }], () => instructions.delete(text));
  instructions.set(text, { generation, source: text, batch });
  return json;
}

/** Found again by the program's own tool objects, also when it lists them anew for every call. */
function toolDefinitionsJson({ dialect, request }: ModelCallContent): string {
  const write = (): string =>
    toContentJson(dialect.toolDefinitions(request), ATTR_GEN_AI_TOOL_DEFINITIONS);
  const list = (request as { readonly tools?: unknown } | null | undefined)?.tools;
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  if (!Array.isArray(list) || typeof first !== "object" || first === null) return write();
  const known = remembered.tools.get(first)?.source;
  const source = Array.isArray(known) && isSameList(known, list) ? known : [...list];
  return recall(remembered.tools, first, source, write);
}

/** Found again by the program's own schema object. */
function outputSchemaJson({ dialect, request }: ModelCallContent): string {
  const schema = dialect.outputSchema?.(request);
  const write = (): string => toContentJson(schema, ATTR_THOUGHTFLOW_OUTPUT_SCHEMA);
  if (typeof schema !== "object" || schema === null) return write();
  return recall(remembered.schemas, schema, schema, write);
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

function recall<Key>(texts: Texts<Key>, key: Key, source: unknown, write: () => string): string {
  const generation = redactionGeneration();
  const known = texts.get(key);
  const text = known?.source === source ? textOf(known, generation) : undefined;
  if (text !== undefined) return text;
  const json = write();
  texts.set(key, { generation, source, batch: keepTexts([{ json }]) });
  return json;
}

function textOf(known: RememberedText | undefined, generation: number): string | undefined {
  return known?.generation === generation ? known.batch.messages[0]?.json : undefined;
}
