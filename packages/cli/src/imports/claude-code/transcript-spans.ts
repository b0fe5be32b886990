import type { Attributes, SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_THOUGHTFLOW_CONTINUES,
  ATTR_THOUGHTFLOW_RUN_STATUS,
  ATTR_THOUGHTFLOW_RUN_TRIGGER,
  ATTR_THOUGHTFLOW_SESSION_TITLE,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  ATTR_THOUGHTFLOW_STEP_STATUS,
  ATTR_X_REQUEST_ID,
  type GenAiMessage,
  type GenAiPart,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
  wordsOf,
} from "@thoughtflow/semconv";
import { resultOfAnthropic, usageOfAnthropic } from "../anthropic-message.ts";
import type { ImportReport } from "../import-format.ts";
import {
  createSpanMaker,
  type ImportedEdge,
  type ImportedTime,
  spanIdOf,
  traceIdOf,
} from "../imported-span.ts";
import type { PlainObject } from "../plain-values.ts";
import type { Place } from "./places.ts";
import type { Spawn } from "./spawns.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** What a person asked for until the next time. */
export interface Run {
  readonly key: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly start: ImportedTime;
  end: ImportedTime;
  status: "aborted" | undefined;
  /** What the session may be called, where nobody says it. */
  title: string | undefined;
}

/** A sub-agent. */
export interface Agent {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent where nothing is known to have asked for it. */
  readonly spawn: Spawn | undefined;
  readonly start: ImportedTime;
  end: ImportedTime;
}

/** What is said between a model and one agent: the main one, or a sub-agent. */
export interface Conversation {
  /** Absent in the main one. */
  readonly agentId: string | undefined;
  readonly agent?: Agent;
  place: Place;
  call: OpenCall | undefined;
  /** The call before the history was replaced by a summary. */
  compacted: string | undefined;
  /** When something happened last, milliseconds. */
  last: number | undefined;
}

/** A call of the model, of whose answer more may come. */
export interface OpenCall {
  readonly messageId: string;
  readonly spanId: string;
  readonly traceId: string;
  readonly parentSpanId: string;
  readonly requestId: string | undefined;
  readonly start: ImportedTime;
  end: ImportedTime;
  readonly after: string | undefined;
  /** Messages as JSON texts. */
  readonly input: readonly string[];
  readonly parts: GenAiPart[];
  readonly edges: readonly ImportedEdge[];
  model: string | undefined;
  usage: unknown;
  stopReason: string | undefined;
  isError: boolean;
}

/** A tool that was asked for and has not answered yet. */
export interface OpenTool {
  readonly toolUseId: string;
  readonly name: string;
  readonly input: unknown;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly start: ImportedTime;
  readonly conversation: Conversation;
}

const AGENT_NAME = "Claude Code";
const NO_MODEL = "<synthetic>";

/** The spans of one session, each by what it is. */
export interface TranscriptSpans {
  /** The main agent is named after its first call. */
  named(call: OpenCall): void;
  message(value: GenAiMessage, side: "input" | "output"): string;
  promptSpanId(line: TranscriptLine): string;
  /** Of the run with this key. */
  traceId(runKey: string): string;
  newRun(key: string, start: ImportedTime): Run;
  root(run: Run): SpanRecord;
  /** What a person said; a message with more than words is read from the call that was given it. */
  prompt(run: Run, text: string, line: TranscriptLine, time: ImportedTime): Iterable<SpanRecord>;
  /** What a sub-agent was told to do. */
  agentPrompt(agent: Agent, text: string, time: ImportedTime): Iterable<SpanRecord>;
  /** The call that is open, if one is: no more of its answer will come. */
  finishCall(conversation: Conversation): Iterable<SpanRecord>;
  tool(tool: OpenTool, end: ImportedTime, block: PlainObject): SpanRecord;
  unfinishedTool(tool: OpenTool, end: ImportedTime, isStopped: boolean): SpanRecord;
  agent(agent: Agent, agentId: string): SpanRecord;
  /** Something else that is worth keeping. */
  generic(run: Run, name: string, payload: object, time: ImportedTime): SpanRecord;
  /** What is true of the session. */
  session(name: string, attributes: Attributes, time: ImportedTime): SpanRecord;
}

export function createTranscriptSpans(sessionId: string, report: ImportReport): TranscriptSpans {
  const span = createSpanMaker("claude-code", sessionId);
  let mainAgentId: string | undefined;

  function whoOf({ agentId, agent }: Conversation): Attributes {
    return {
      [ATTR_GEN_AI_AGENT_ID]: agentId ?? mainAgentId ?? "agent_main",
      [ATTR_GEN_AI_AGENT_NAME]: agentId === undefined ? AGENT_NAME : nameOf(agent),
    };
  }

  function nameOf(agent: Agent | undefined): string {
    const task = agent?.spawn?.task;
    return task?.type ?? (task?.name === "Workflow" ? "workflow agent" : "sub-agent");
  }

  function content(value: unknown, attribute: string): Record<string, string> {
    return { [attribute]: report.content(value, attribute) };
  }

  function message(value: GenAiMessage, side: "input" | "output"): string {
    const attribute = side === "input" ? ATTR_GEN_AI_INPUT_MESSAGES : ATTR_GEN_AI_OUTPUT_MESSAGES;
    return report.content(value, attribute);
  }

  function toolSpan(
    tool: OpenTool,
    end: ImportedTime,
    more: {
      readonly status?: string;
      readonly error?: { readonly type: string; readonly message: string } | undefined;
      readonly result?: unknown;
    },
  ): SpanRecord {
    const { toolUseId, name, input, conversation, traceId, spanId, parentSpanId, start } = tool;
    return span({
      traceId,
      spanId,
      parentSpanId,
      start,
      end,
      name: `execute_tool ${name}`,
      error: more.error,
      attributes: {
        [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_EXECUTE_TOOL,
        [ATTR_GEN_AI_TOOL_NAME]: name,
        [ATTR_GEN_AI_TOOL_CALL_ID]: toolUseId,
        [ATTR_THOUGHTFLOW_STEP_STATUS]: more.status,
        ...whoOf(conversation),
      },
      content: {
        ...content(input, ATTR_GEN_AI_TOOL_CALL_ARGUMENTS),
        ...(more.result !== undefined && content(more.result, ATTR_GEN_AI_TOOL_CALL_RESULT)),
      },
    });
  }

  function traceId(runKey: string): string {
    return traceIdOf("claude-code", sessionId, runKey);
  }

  function promptSpanId(line: TranscriptLine): string {
    return spanIdOf("claude-code", sessionId, "prompt", line.uuid ?? `line-${line.number}`);
  }

  return {
    message,
    promptSpanId,
    traceId,

    named({ requestId, messageId }) {
      mainAgentId ??= `agent_${requestId ?? messageId}`;
    },

    newRun(key: string, start: ImportedTime): Run {
      return {
        key,
        traceId: traceId(key),
        spanId: spanIdOf("claude-code", sessionId, "run", key),
        start,
        end: start,
        status: undefined,
        title: undefined,
      };
    },

    root({ traceId, spanId, start, end, status, title }: Run): SpanRecord {
      return span({
        traceId,
        spanId,
        start,
        end,
        name: `invoke_agent ${AGENT_NAME}`,
        attributes: {
          [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_INVOKE_AGENT,
          [ATTR_GEN_AI_AGENT_NAME]: AGENT_NAME,
          [ATTR_GEN_AI_AGENT_ID]: mainAgentId,
          [ATTR_THOUGHTFLOW_RUN_STATUS]: status,
          [ATTR_THOUGHTFLOW_SESSION_TITLE]: title,
        },
      });
    },

    *prompt(run: Run, text: string, line: TranscriptLine, time: ImportedTime) {
      if (text === "") return;
      yield span({
        traceId: run.traceId,
        spanId: promptSpanId(line),
        parentSpanId: run.spanId,
        start: time,
        end: time,
        name: "user_message",
        attributes: { [ATTR_THOUGHTFLOW_STEP_LABEL]: "user_message" },
        content: content({ text }, ATTR_THOUGHTFLOW_STEP_STARTED),
      });
    },

    *agentPrompt({ traceId, spanId, spawn }: Agent, text: string, time: ImportedTime) {
      if (text === "") return;
      yield span({
        traceId,
        spanId: spanIdOf("claude-code", sessionId, spanId, "prompt", `${time.order}`),
        parentSpanId: spanId,
        start: time,
        end: time,
        name: "user_message",
        attributes: { [ATTR_THOUGHTFLOW_STEP_LABEL]: "user_message" },
        content: content({ text }, ATTR_THOUGHTFLOW_STEP_STARTED),
        edges:
          spawn === undefined
            ? []
            : [{ to: `s_${spanId}`, type: "depends_on", origin: "observed" }],
      });
    },

    *finishCall(conversation: Conversation): Generator<SpanRecord> {
      const { call } = conversation;
      if (call === undefined) return;
      conversation.call = undefined;
      const { model, stopReason, parts, input, isError } = call;
      const isReal = model !== NO_MODEL;
      yield span({
        traceId: call.traceId,
        spanId: call.spanId,
        parentSpanId: call.parentSpanId,
        start: call.start,
        end: call.end,
        name: isReal && model !== undefined ? `chat ${model}` : "chat",
        kind: "client",
        error: isError ? { type: "api_error", message: wordsOf(parts) } : undefined,
        attributes: {
          [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_CHAT,
          [ATTR_GEN_AI_PROVIDER_NAME]: "anthropic",
          [ATTR_GEN_AI_REQUEST_MODEL]: isReal ? model : undefined,
          [ATTR_GEN_AI_RESPONSE_MODEL]: isReal ? model : undefined,
          [ATTR_GEN_AI_RESPONSE_ID]: call.messageId,
          [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]:
            stopReason === undefined ? undefined : [stopReason],
          [ATTR_X_REQUEST_ID]: call.requestId,
          [ATTR_THOUGHTFLOW_CONTINUES]: call.after,
          ...(isReal && usageOfAnthropic(call.usage)),
          ...whoOf(conversation),
        },
        content: {
          [ATTR_GEN_AI_INPUT_MESSAGES]: input,
          [ATTR_GEN_AI_OUTPUT_MESSAGES]: [message({ role: "assistant", parts }, "output")],
        },
        edges: call.edges,
      });
    },

    tool(tool: OpenTool, end: ImportedTime, block: PlainObject): SpanRecord {
      const result = resultOfAnthropic(block["content"]);
      const words = typeof result === "string" ? result : JSON.stringify(result);
      const error = block["is_error"] === true ? { type: "tool_error", message: words } : undefined;
      return toolSpan(tool, end, { result, error });
    },

    unfinishedTool: (tool: OpenTool, end: ImportedTime, isStopped: boolean): SpanRecord =>
      toolSpan(tool, end, { status: isStopped ? "cancelled" : "abandoned" }),

    agent(agent: Agent, agentId: string): SpanRecord {
      const { traceId, spanId, spawn, start, end } = agent;
      const edge = spawn && {
        to: `s_${spawn.task.spanId}`,
        type: "subagent_spawn",
        origin: spawn.origin,
      };
      return span({
        traceId,
        spanId,
        parentSpanId: spawn?.task.spanId,
        start,
        end,
        name: `invoke_agent ${nameOf(agent)}`,
        attributes: {
          [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_INVOKE_AGENT,
          [ATTR_GEN_AI_AGENT_ID]: agentId,
          [ATTR_GEN_AI_AGENT_NAME]: nameOf(agent),
          [ATTR_THOUGHTFLOW_RUN_TRIGGER]: spawn === undefined ? "agent" : undefined,
        },
        content: content(
          { name: nameOf(agent), ...(spawn && { description: spawn.task.description }) },
          ATTR_THOUGHTFLOW_STEP_STARTED,
        ),
        edges: edge === undefined ? [] : [edge],
      });
    },

    generic(run: Run, name: string, payload: object, time: ImportedTime): SpanRecord {
      return span({
        traceId: run.traceId,
        spanId: spanIdOf("claude-code", sessionId, name, `${time.order}`),
        parentSpanId: run.spanId,
        start: time,
        end: time,
        name,
        attributes: { [ATTR_THOUGHTFLOW_STEP_LABEL]: "generic" },
        content: content(payload, ATTR_THOUGHTFLOW_STEP_STARTED),
      });
    },

    session(name: string, attributes: Attributes, time: ImportedTime): SpanRecord {
      return span({
        traceId: traceIdOf("claude-code", sessionId),
        spanId: spanIdOf("claude-code", sessionId, name),
        start: time,
        end: time,
        name,
        attributes,
      });
    },
  };
}
