import { neutralSessionIdOf } from "@thoughtflow/dialects/spans";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_TOOL_CALL_ID,
  type GenAiMessage,
  isToolCallPart,
  isToolCallResponsePart,
} from "@thoughtflow/semconv";
import type { ContentReader } from "./content-reader.ts";
import { foldHistories } from "./history.ts";
import { compareMoments, type SpanNode, textAttribute } from "./span-node.ts";

/**
 * The spans by session id. A span that carries an id stays there. One without goes where its nearest ancestor
 * is, else where its trace began. Traces without any id are joined by the response and call ids they share, and
 * named after the earliest of them.
 */
export function spansBySession(
  nodes: readonly SpanNode[],
  content: ContentReader,
): Map<string, SpanNode[]> {
  const traceSession = new Map<string, string>();
  const unplaced = new Map<string, SpanNode[]>();
  for (const { record } of nodes) {
    const id = neutralSessionIdOf(record);
    if (id !== undefined && !traceSession.has(record.traceId)) traceSession.set(record.traceId, id);
  }
  for (const node of nodes) {
    const { traceId } = node.record;
    if (traceSession.has(traceId)) continue;
    const spans = unplaced.get(traceId);
    if (spans === undefined) unplaced.set(traceId, [node]);
    else spans.push(node);
  }
  for (const [traceId, id] of joinedTraces(unplaced, content)) traceSession.set(traceId, id);

  const sessions = new Map<string, SpanNode[]>();
  const placed = new Map<SpanNode, string>();
  for (const node of nodes) {
    const id = placeOf(node, placed) ?? traceSession.get(node.record.traceId) ?? "";
    const spans = sessions.get(id);
    if (spans === undefined) sessions.set(id, [node]);
    else spans.push(node);
  }
  return sessions;
}

/** The nearest id on the way up, remembered for the whole way. */
function placeOf(node: SpanNode, placed: Map<SpanNode, string>): string | undefined {
  const own = neutralSessionIdOf(node.record);
  if (own !== undefined) return own;
  const path: SpanNode[] = [];
  let id: string | undefined;
  for (let at: SpanNode | undefined = node; at !== undefined; at = at.parent) {
    id = placed.get(at) ?? neutralSessionIdOf(at.record);
    if (id !== undefined) break;
    path.push(at);
  }
  if (id !== undefined) for (const one of path) placed.set(one, id);
  return id;
}

function joinedTraces(
  traces: ReadonlyMap<string, readonly SpanNode[]>,
  content: ContentReader,
): Map<string, string> {
  const leader = new Map<string, string>();
  const find = (key: string): string => {
    let at = key;
    for (let up = leader.get(at); up !== undefined && up !== at; up = leader.get(at)) at = up;
    leader.set(key, at);
    return at;
  };
  const join = (one: string, other: string): void => {
    leader.set(find(one), find(other));
  };
  // The last id of a history stands for those before it, which were joined when the shorter history was seen.
  const lastIdOf = foldHistories<string | undefined>(undefined, (before, message) => {
    let last = before;
    for (const id of idsOfMessage(message)) {
      if (last !== undefined) join(id, last);
      last = id;
    }
    return last;
  });
  for (const [traceId, spans] of traces) {
    for (const { record } of spans) {
      const { input } = content.modelCall(record);
      const last = input === undefined ? undefined : lastIdOf(input);
      for (const id of [...(last === undefined ? [] : [last]), ...joiningIds(record, content)])
        join(id, `trace ${traceId}`);
    }
  }
  const firsts = new Map<string, SpanNode>();
  for (const spans of traces.values()) {
    for (const node of spans) {
      const group = find(`trace ${node.record.traceId}`);
      const first = firsts.get(group);
      if (first === undefined || compareMoments(node.moment, first.moment) < 0)
        firsts.set(group, node);
    }
  }
  const ids = new Map<string, string>();
  for (const traceId of traces.keys()) {
    const first = firsts.get(find(`trace ${traceId}`));
    ids.set(traceId, `s_${first?.record.traceId ?? traceId}`);
  }
  return ids;
}

/** The ids by which a span is found, but for those of the history that it was sent. */
function joiningIds(record: SpanRecord, content: ContentReader): string[] {
  const ids: string[] = [];
  for (const name of [ATTR_GEN_AI_RESPONSE_ID, ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID]) {
    const id = textAttribute(record, name);
    if (id !== undefined) ids.push(`response ${id}`);
  }
  const own = textAttribute(record, ATTR_GEN_AI_TOOL_CALL_ID);
  if (own !== undefined) ids.push(`call ${own}`);
  const { output = [], structure } = content.modelCall(record);
  const messages = [output, structure?.input ?? [], structure?.output ?? []].flat();
  return [...ids, ...messages.flatMap(idsOfMessage)];
}

function idsOfMessage({ parts }: GenAiMessage): string[] {
  return parts
    .filter((part) => isToolCallPart(part) || isToolCallResponsePart(part))
    .flatMap(({ id }) => (id ? [`call ${id}`] : []));
}
