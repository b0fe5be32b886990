import { neutralSpan } from "@thoughtflow/dialects/spans";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  type GenAiMessage,
  isToolCallPart,
  isToolCallResponsePart,
  wordsOf,
} from "@thoughtflow/semconv";

/** What Langfuse makes of the input and the output of observations, by id. */
export type ChatMl = Readonly<Record<string, Partial<Record<Side, ChatMlSide>>>>;

type Side = "input" | "output";

interface ChatMlSide {
  readonly success: boolean;
  readonly data?: readonly Members[];
}

type Members = Readonly<Record<string, unknown>>;

export interface Disagreement {
  readonly where: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface Opinions {
  readonly compared: number;
  readonly disagreements: readonly Disagreement[];
}

const NAMES: Readonly<Record<Side, string>> = {
  input: ATTR_GEN_AI_INPUT_MESSAGES,
  output: ATTR_GEN_AI_OUTPUT_MESSAGES,
};

/**
 * Compares message by message, by role, words and tool calls, on the model calls for which both have an opinion. Roles count
 * as equal when they mean the same (`model` and `assistant`).
 */
export function compareOpinions(records: readonly SpanRecord[], chatMl: ChatMl): Opinions {
  const disagreements: Disagreement[] = [];
  let compared = 0;
  for (const record of records) {
    const { attributes } = neutralSpan(record);
    for (const side of ["input", "output"] as const) {
      const theirs = chatMl[record.spanId]?.[side];
      const text = attributes[NAMES[side]];
      if (theirs?.success !== true || typeof text !== "string") continue;
      const own = (JSON.parse(text) as GenAiMessage[]).map(ofOurs);
      const others = (theirs.data ?? []).map(ofTheirs);
      for (let n = 0; n < Math.max(own.length, others.length); n++) {
        if (others[n] === NOTHING) continue;
        compared++;
        if (own[n] === others[n]) continue;
        const where = `${record.name} ${record.spanId} ${side} ${n}`;
        disagreements.push({ where, ours: own[n] ?? "(none)", theirs: others[n] ?? "(none)" });
      }
    }
  }
  return { compared, disagreements };
}

function ofOurs({ role, parts }: GenAiMessage): string {
  const responses = parts.filter(isToolCallResponsePart).map(({ response }) => wordsIn(response));
  const calls = parts.filter(isToolCallPart).map(({ name, arguments: args }) => callOf(name, args));
  return oneLine(role, [wordsOf(parts), ...responses].join(""), calls);
}

/** Of a message of which they tell neither role nor words. */
const NOTHING = "";

function ofTheirs(message: Members): string {
  const json = membersOf(message["json"]);
  const inner = membersOf(json["message"]);
  const told = { ...inner, ...message };
  const role = String(told["role"] ?? "");
  if (role === "" && told["content"] === undefined) return NOTHING;
  // Koog writes calls as the JSON text of a message, which says the same.
  const written = callsIn(told["content"]);
  const calls = written.length > 0 ? written : callsIn(told["tool_calls"]);
  const words = written.length > 0 ? "" : wordsIn(told["content"]);
  return oneLine(role === "model" ? "assistant" : role, words, calls);
}

function callsIn(given: unknown): readonly string[] {
  const list = typeof given === "string" ? parsedOr(given) : given;
  const calls = Array.isArray(list) ? list : [];
  if (!calls.every((call) => membersOf(call)["type"] === "function")) return [];
  return calls.map((call) => {
    const { name, arguments: args, function: nested } = membersOf(call);
    const { name: inside, arguments: argsInside } = membersOf(nested);
    return callOf(name ?? inside, args ?? argsInside);
  });
}

function wordsIn(content: unknown): string {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  const isText = content.every((part) => typeof membersOf(part)["text"] === "string");
  if (!isText) return JSON.stringify(content);
  return content.map((part) => String(membersOf(part)["text"])).join("\n");
}

function callOf(name: unknown, args: unknown): string {
  return `${String(name)}(${typeof args === "string" ? compact(args) : JSON.stringify(args)})`;
}

function compact(text: string): string {
  const value = parsedOr(text);
  return typeof value === "string" ? text : JSON.stringify(value);
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function oneLine(role: string, words: string, calls: readonly string[]): string {
  return `${role}: ${compact(words.trim())}${calls.map((call) => ` → ${call}`).join("")}`;
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}
