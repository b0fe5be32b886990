import type { SpanRecord } from "@thoughtflow/schema";
import { type GenAiPart, isToolCallPart } from "@thoughtflow/semconv";
import { type ImportedTime, spanIdOf } from "../imported-span.ts";
import type { Within } from "./agent-events.ts";
import type { Agent, Conversation, OpenTool, Run } from "./conversation.ts";
import type { ConversationSource, ConversationSpans } from "./conversation-spans.ts";
import type { DistinctIds } from "./distinct-ids.ts";
import type { Spawns } from "./spawns.ts";

/** A tool that nobody is known to have called, and what it gave. */
export interface Uncalled extends Omit<Within, "callId"> {
  /** What its program calls this one. */
  readonly toolId: string;
}

/** A tool that no answer asked for. */
export type UnaskedTool = Within | Uncalled;

/** The tool calls of a session that wait for their results. */
export interface OpenTools {
  /** Opens those that an answer asks for; gives its parts as JSON texts. */
  open(
    parts: readonly GenAiPart[],
    conversation: Conversation,
    home: Run | Agent,
    at: ImportedTime,
  ): string[];
  /** The step of a tool that one of them has called, within its own: no model was given it. */
  within(tool: Within): readonly SpanRecord[];
  /** The step of a tool that is done, and that nobody is known to have called. */
  uncalled(tool: Uncalled, conversation: Conversation, home: Run | Agent): SpanRecord;
  /** Of several with one id the last one asked for; `undefined` where none waits. */
  take(callId: string): OpenTool | undefined;
  /** Those of a run that is over. */
  takeOf(run: Run): Iterable<OpenTool>;
  /** Those that still wait. */
  readonly left: Iterable<OpenTool>;
}

export interface OpenToolsOptions extends Pick<ConversationSource, "source" | "sessionId"> {
  readonly spans: ConversationSpans;
  readonly spawns: Spawns;
  readonly next: DistinctIds["next"];
  /** See `AgentSessionOptions`. */
  readonly isScript?: ((name: string, input: unknown) => boolean) | undefined;
}

export function createOpenTools({
  source,
  sessionId,
  spans,
  spawns,
  next,
  isScript = () => false,
}: OpenToolsOptions): OpenTools {
  const tools = new Map<string, OpenTool>();
  /** By the id that the program gave: the ids of those that waited under it, the last one last. */
  const byCallId = new Map<string, string[]>();

  function openTool(
    part: GenAiPart & { readonly name: string; readonly id?: string },
    conversation: Conversation,
    { traceId, spanId: parentSpanId }: Run | Agent,
    start: ImportedTime,
  ): OpenTool {
    const { id: given = "", name } = part;
    const id = next("tool call", given);
    const spanId = spanIdOf(source, sessionId, "tool", id);
    const input = (part as { readonly arguments?: unknown }).arguments;
    const tool: OpenTool = {
      toolUseId: given,
      name,
      arguments: spans.arguments(input),
      traceId,
      spanId,
      parentSpanId,
      start,
      conversation,
    };
    tools.set(id, tool);
    const ids = byCallId.get(given);
    if (ids === undefined) byCallId.set(given, [id]);
    else ids.push(id);
    spawns.asked({
      toolUseId: given,
      spanId,
      traceId,
      name,
      input,
      isScript: isScript(name, input),
      ms: start.ms,
    });
    return tool;
  }

  return {
    open(parts, conversation, home, { ms, order }) {
      let at = order;
      return parts.map((part) => {
        if (!isToolCallPart(part)) return spans.part(part);
        const tool = openTool(part, conversation, home, { ms, order: at++ });
        return spans.toolCallPart(part, tool.arguments);
      });
    },
    within({ callId, key, name, args, result, isError, start, at }) {
      const outer = tools.get(byCallId.get(callId)?.at(-1) ?? "");
      if (outer === undefined) return [];
      const spanId = spanIdOf(source, sessionId, "tool", key);
      const call = { toolUseId: key, name, arguments: spans.arguments(args), start };
      const tool = { ...outer, ...call, spanId, parentSpanId: outer.spanId };
      // Of those that worked at that time it was called by the last.
      const asked = { type: "requests", origin: "inferred", confidence: 0.9 } as const;
      const edges = [{ to: `s_${outer.spanId}`, ...asked }];
      return [spans.tool(tool, at, { result, kept: spans.result(result), isError, edges })];
    },
    uncalled(
      { toolId, key, name, args, result, isError, start, at },
      conversation,
      { traceId, spanId: parentSpanId },
    ) {
      const spanId = spanIdOf(source, sessionId, "tool", key);
      const call = { toolUseId: toolId, name, arguments: spans.arguments(args), start };
      const tool = { ...call, traceId, spanId, parentSpanId, conversation };
      return spans.tool(tool, at, { result, kept: spans.result(result), isError });
    },
    take(callId) {
      const ids = byCallId.get(callId) ?? [];
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        const tool = tools.get(id);
        tools.delete(id);
        if (tool !== undefined) return tool;
      }
      byCallId.delete(callId);
      return undefined;
    },
    *takeOf(run) {
      for (const [id, tool] of tools) {
        if (tool.traceId !== run.traceId) continue;
        tools.delete(id);
        yield tool;
      }
    },
    get left() {
      return tools.values();
    },
  };
}
