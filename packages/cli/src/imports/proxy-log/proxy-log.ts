import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_CONTINUES,
  ATTR_THOUGHTFLOW_REQUEST,
  ATTR_THOUGHTFLOW_SESSION_TITLE,
  OPERATION_CHAT,
  OPERATION_INVOKE_AGENT,
  wordsOf,
} from "@thoughtflow/semconv";
import { titleFrom } from "@thoughtflow/thoughts";
import { type AgentMatch, createAgentTracker, withoutReminders } from "@thoughtflow/workflow";
import { usageOfAnthropic } from "../anthropic-message.ts";
import { type ImportFormat, ImportProblem, type ImportReport } from "../import-format.ts";
import {
  createSpanMaker,
  type ImportedEdge,
  type ImportedTime,
  spanIdOf,
  traceIdOf,
} from "../imported-span.ts";
import { listOf, membersOf, textOf } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";
import { exchangeOf, type LoggedExchange } from "./logged-exchange.ts";

/** Logs of requests to the Messages API, as claude-trace writes them: one session a file. */
export const proxyLog: ImportFormat = {
  summary: "requests and answers of the Anthropic Messages API, as claude-trace logs them",
  takes: (name) => name.endsWith(".jsonl"),
  async *read(files, report) {
    let found = false;
    for (const file of files) {
      for await (const record of readLog(file, report)) {
        found = true;
        yield record;
      }
    }
    if (!found) throw new ImportProblem("no line is an exchange with the Messages API");
  },
};

interface Run {
  readonly traceId: string;
  readonly spanId: string;
  readonly start: ImportedTime;
  end: ImportedTime;
  /** An agent has worked in it, and not only what the program asks beside. */
  isAnswered: boolean;
  /** What the person said. */
  title: string | undefined;
}

/** An agent that another one asked for. */
interface Spawned {
  readonly traceId: string;
  readonly spanId: string;
  readonly runSpanId: string;
  readonly name: string;
  readonly edge: ImportedEdge;
  readonly start: ImportedTime;
  end: ImportedTime;
}

async function* readLog(file: SourceFile, report: ImportReport): AsyncGenerator<SpanRecord> {
  const tracker = createAgentTracker();
  const spawned = new Map<string, Spawned>();
  let log:
    | { readonly sessionId: string; readonly span: ReturnType<typeof createSpanMaker> }
    | undefined;
  let run: Run | undefined;
  let runs = 0;

  for await (const { text, number, ended } of file.lines()) {
    const exchange = exchangeOf(parsedOf(text), number);
    if (exchange === undefined) {
      report.lost(
        ended ? "line that is no exchange with the Messages API" : "line that was cut off",
      );
      continue;
    }
    const { requestId } = exchange;
    const sessionId =
      log?.sessionId ?? exchange.session ?? `proxy_${spanIdOf("proxy-log", requestId)}`;
    log ??= { sessionId, span: createSpanMaker("claude-trace", sessionId) };
    const { span } = log;
    const match = tracker.request({
      ...exchange,
      ms: exchange.startMs,
      tools: exchange.tools.length,
    });
    tracker.response(requestId, exchange.output);
    const start = { ms: exchange.startMs, order: number };
    const end = { ms: Math.max(exchange.endMs, exchange.startMs), order: number };
    if (run === undefined || (run.isAnswered && isTurn(exchange, match, spawned))) {
      if (run !== undefined) yield rootOf(run, span, runs++ === 0);
      run = {
        traceId: traceIdOf("proxy-log", sessionId, requestId),
        spanId: spanIdOf("proxy-log", sessionId, "run", requestId),
        start,
        end,
        isAnswered: false,
        title: undefined,
      };
    }
    if (match.kind === "main") run.title ??= titleOf(exchange);
    run.isAnswered ||= match.kind === "main";
    if (end.ms > run.end.ms) run.end = end;
    const spawn = match.spawn;
    if (spawn !== undefined) {
      spawned.set(match.agentId, {
        traceId: run.traceId,
        runSpanId: run.spanId,
        spanId: spanIdOf("proxy-log", sessionId, "agent", match.agentId),
        name: nameOf(exchange, match),
        edge: {
          to: `s_${callIdOf(sessionId, spawn.requestId)}.t${spawn.toolCall}`,
          type: "subagent_spawn",
          origin: "inferred",
        },
        start,
        end,
      });
    }
    const agent = spawned.get(match.agentId);
    if (agent !== undefined && end.ms > agent.end.ms) agent.end = end;
    const home = agent ?? run;
    yield span({
      traceId: home.traceId,
      parentSpanId: home.spanId,
      ...callSpan(exchange, match, sessionId, report),
      start,
      end,
    });
  }
  if (log === undefined) return;
  for (const [agentId, agent] of spawned) yield agentSpan(agent, agentId, log.span);
  if (run !== undefined) yield rootOf(run, log.span, runs === 0);
}

/** A person said something to the main agent: the last message of its request is no tool's. */
function isTurn(
  { messages }: LoggedExchange,
  { kind, agentId, spawn }: AgentMatch,
  spawned: ReadonlyMap<string, Spawned>,
): boolean {
  return (
    kind === "main" &&
    spawn === undefined &&
    !spawned.has(agentId) &&
    messages.at(-1)?.role === "user"
  );
}

function callIdOf(sessionId: string, requestId: string): string {
  return spanIdOf("proxy-log", sessionId, "request", requestId);
}

function callSpan(
  exchange: LoggedExchange,
  match: AgentMatch,
  sessionId: string,
  report: ImportReport,
): Omit<Parameters<ReturnType<typeof createSpanMaker>>[0], "traceId" | "start"> {
  const { model, answer, messages, system, tools, maxTokens, output, error, requestId } = exchange;
  const stop = textOf(answer?.["stop_reason"]);
  const { continues, known, stretchOf } = match;
  const content = (value: unknown, name: string) => report.content(value, name);
  return {
    spanId: callIdOf(sessionId, requestId),
    name: model === undefined ? "chat" : `chat ${model}`,
    kind: "client",
    error,
    attributes: {
      [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_CHAT,
      [ATTR_GEN_AI_PROVIDER_NAME]: "anthropic",
      [ATTR_GEN_AI_REQUEST_MODEL]: model,
      [ATTR_GEN_AI_REQUEST_MAX_TOKENS]: maxTokens,
      [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(answer?.["model"]),
      [ATTR_GEN_AI_RESPONSE_ID]: textOf(answer?.["id"]),
      [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: stop === undefined ? undefined : [stop],
      ...(answer !== undefined && usageOfAnthropic(answer["usage"])),
      [ATTR_THOUGHTFLOW_CONTINUES]: continues && callIdOf(sessionId, continues.requestId),
      [ATTR_GEN_AI_AGENT_ID]: match.agentId,
      [ATTR_GEN_AI_AGENT_NAME]: nameOf(exchange, match),
    },
    content: {
      [ATTR_THOUGHTFLOW_REQUEST]: requestTexts(exchange.body, content),
      ...(system !== "" && {
        [ATTR_GEN_AI_SYSTEM_INSTRUCTIONS]: content(
          [{ type: "text", content: system }],
          ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
        ),
      }),
      ...(tools.length > 0 && {
        [ATTR_GEN_AI_TOOL_DEFINITIONS]: tools.map((tool) =>
          content(definitionOf(tool), ATTR_GEN_AI_TOOL_DEFINITIONS),
        ),
      }),
      [ATTR_GEN_AI_INPUT_MESSAGES]: messages
        .slice(known)
        .map((message) => content(message, ATTR_GEN_AI_INPUT_MESSAGES)),
      [ATTR_GEN_AI_OUTPUT_MESSAGES]: output.map((message) =>
        content(message, ATTR_GEN_AI_OUTPUT_MESSAGES),
      ),
    },
    edges:
      stretchOf === undefined
        ? []
        : [
            {
              to: `s_${callIdOf(sessionId, stretchOf.requestId)}`,
              type: "continues",
              origin: "inferred",
            },
          ],
  };
}

/** The body without its messages, then each: what requests repeat stands in the journal once. */
function requestTexts(
  { messages, ...rest }: LoggedExchange["body"],
  content: ImportReport["content"],
): readonly string[] {
  return [rest, ...listOf(messages)].map((value) => content(value, ATTR_THOUGHTFLOW_REQUEST));
}

function definitionOf(tool: unknown): Record<string, unknown> {
  const { name, description, input_schema: parameters } = membersOf(tool);
  return { type: "function", name, description, parameters };
}

/** An agent has no name on the wire; what it is for tells which one is meant. */
function nameOf({ system, requestId }: LoggedExchange, { kind, spawn }: AgentMatch): string {
  if (kind === "probe") return "probe";
  if (kind === "side") return `side: ${system.slice(0, 40).split("\n")[0] || requestId}`;
  if (spawn !== undefined) return "sub-agent";
  return /^You are (Claude Code)/.exec(system)?.[1] ?? "agent";
}

function agentSpan(
  { traceId, spanId, runSpanId, name, edge, start, end }: Spawned,
  agentId: string,
  span: ReturnType<typeof createSpanMaker>,
): SpanRecord {
  return span({
    traceId,
    spanId,
    parentSpanId: runSpanId,
    name: `invoke_agent ${name}`,
    start,
    end,
    attributes: {
      [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_INVOKE_AGENT,
      [ATTR_GEN_AI_AGENT_ID]: agentId,
      [ATTR_GEN_AI_AGENT_NAME]: name,
    },
    edges: [edge],
  });
}

function titleOf({ messages }: LoggedExchange): string | undefined {
  const said = messages.at(-1);
  if (said?.role !== "user") return undefined;
  return titleFrom(wordsOf(withoutReminders(said).parts)) || undefined;
}

function rootOf(
  { traceId, spanId, start, end, title }: Run,
  span: ReturnType<typeof createSpanMaker>,
  isFirst: boolean,
): SpanRecord {
  const attributes = {
    [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_INVOKE_AGENT,
    [ATTR_THOUGHTFLOW_SESSION_TITLE]: isFirst ? title : undefined,
  };
  return span({ traceId, spanId, name: "invoke_agent", start, end, attributes });
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
