import { isOwnSpan } from "@thoughtflow/dialects/spans";
import type { AttributeValue, SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
  CONTENT_ATTRIBUTES,
  GEN_AI_USAGE_PREFIX,
} from "@thoughtflow/semconv";

/** What a document tells in members of its own. */
const TOLD: ReadonlySet<string> = new Set([
  ...CONTENT_ATTRIBUTES,
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
]);

const TOLD_PREFIXES = ["thoughtflow.", GEN_AI_USAGE_PREFIX, "gen_ai.request.", "openai.request."];

/** What a span of another emitter says that nothing else in the document tells, by name, sorted. */
export function otherAttributes(
  record: SpanRecord,
): Readonly<Record<string, AttributeValue>> | undefined {
  if (isOwnSpan(record)) return undefined;
  const { attributes } = record;
  const names: string[] = [];
  for (const name in attributes) if (isUntold(name)) names.push(name);
  if (names.length === 0) return undefined;
  if (!areInOrder(names)) names.sort();
  return Object.fromEntries(names.map((name) => [name, attributes[name] as AttributeValue]));
}

/** Most emitters write them so. */
function areInOrder(names: readonly string[]): boolean {
  return names.every((name, at) => at === 0 || (names[at - 1] ?? "") <= name);
}

/** Every span asks for the same names; whoever makes up ever new ones fills no memory. */
const MOST_NAMES = 1_000;
const known = new Map<string, boolean>();

function isUntold(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const isSo = !TOLD.has(name) && !hasToldPrefix(name);
  if (known.size < MOST_NAMES) known.set(name, isSo);
  return isSo;
}

function hasToldPrefix(name: string): boolean {
  return TOLD_PREFIXES.some((prefix) => name.startsWith(prefix));
}
