import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { compactJson } from "@thoughtflow/schema/canonical";
import { jsonOfContent } from "@thoughtflow/schema/content-list";
import { ATTR_THOUGHTFLOW_REQUEST, ATTR_THOUGHTFLOW_RESPONSE } from "@thoughtflow/semconv";

/** A model call as it was sent and answered; what was left out is marked in it. Members that nobody kept are absent. */
export interface RawCall {
  readonly request?: unknown;
  readonly response?: unknown;
}

/** Finds the raw call of a span. */
export type RawCalls = (traceId: string | undefined, spanId: string | undefined) => RawCall;

/** The raw calls of records that hold them. */
export function rawCallsOf(records: readonly FlowRecord[]): RawCalls {
  const spans = new Map<string, SpanRecord>();
  for (const record of records) {
    if (record.type !== "span_end" && record.type !== "span_start") continue;
    if (record.content?.[ATTR_THOUGHTFLOW_REQUEST] === undefined) continue;
    const key = `${record.traceId}/${record.spanId}`;
    if (record.type === "span_end" || !spans.has(key)) spans.set(key, record);
  }
  return (traceId, spanId) => {
    const { content = {} } = spans.get(`${traceId}/${spanId}`) ?? {};
    const request = content[ATTR_THOUGHTFLOW_REQUEST];
    const response = content[ATTR_THOUGHTFLOW_RESPONSE];
    return {
      ...(request !== undefined && { request: requestFrom(parsed(jsonOfContent(request))) }),
      ...(response !== undefined && { response: parsed(jsonOfContent(response)) }),
    };
  };
}

/** `[{ request, history }, …items]` as the parameters that it stands for. */
function requestFrom(value: unknown): unknown {
  const [head, ...items] = Array.isArray(value) ? value : [value];
  const { request, history } = Object(head) as Readonly<Record<string, unknown>>;
  return typeof history === "string" ? { ...Object(request), [history]: items } : request;
}

/** A column holds so much of a request; the whole of it is in the records. */
const MOST_CHARACTERS = 256 * 1024;

/** A request as JSON for a column: of a long one the oldest messages are left out, and counted in their place. */
export function boundedRequest(request: unknown): string | null {
  if (request === undefined) return null;
  const json = compactJson(request);
  if (json.length <= MOST_CHARACTERS) return json;
  const members = Object(request) as Readonly<Record<string, unknown>>;
  const key = ["messages", "input"].find((name) => Array.isArray(members[name]));
  if (key === undefined) return json;
  return compactJson({
    ...members,
    [key]: newest(members[key] as readonly unknown[], MOST_CHARACTERS),
  });
}

/** The newest items that so many characters hold, the last whatever its length; the others counted before them. */
export function newest(items: readonly unknown[], characters: number): readonly unknown[] {
  let left = characters;
  let first = items.length;
  while (first > 0) {
    left -= compactJson(items[first - 1]).length;
    if (left < 0 && first < items.length) break;
    first--;
  }
  return first === 0 ? items : [{ omitted: "messages", count: first }, ...items.slice(first)];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
