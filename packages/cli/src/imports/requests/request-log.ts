import { hash } from "node:crypto";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_CONTINUES,
  ATTR_THOUGHTFLOW_REQUEST,
  ATTR_THOUGHTFLOW_SESSION_TITLE,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  OPERATION_INVOKE_AGENT,
  wordsOf,
} from "@thoughtflow/semconv";
import { titleFrom } from "@thoughtflow/thoughts";
import {
  type AgentMatch,
  createAgentTracker,
  LruMap,
  withoutReminders,
} from "@thoughtflow/workflow";
import type { ImportReport } from "../import-format.ts";
import {
  createSpanMaker,
  type ImportedEdge,
  type ImportedTime,
  spanIdOf,
  traceIdOf,
} from "../imported-span.ts";
import type { LoggedExchange } from "./logged-exchange.ts";

/** What tells the logs of two APIs apart. */
export interface RequestLogOptions {
  /** The format: part of every id. */
  readonly source: string;
  /** What ids of sessions begin with that nobody named. */
  readonly idPrefix: string;
  /** What wrote the log: the service name. */
  readonly service: string;
  readonly report: ImportReport;
  /** Whether a request of one message and without tools is what a person asks, and not something that a program asks beside. */
  readonly asksAlone: boolean;
  /** An agent has no name on the wire; what it is for tells which one is meant. */
  nameOf(exchange: LoggedExchange): string;
}

/** One log of requests: takes them in order and gives the spans that are complete by then. */
export interface RequestLog {
  /** @param line Where it stands, and its text: two lines with one id are told apart by it. */
  exchange(exchange: LoggedExchange, line: { number: number; text: string }): Iterable<SpanRecord>;
  /** A line that is no record: kept as it is. */
  unreadable(line: { number: number; text: string; problem: string }): void;
  /** The rest. */
  finish(): Iterable<SpanRecord>;
}

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

/** So many requests back a repeated id is found. */
const REMEMBERED = 10_000;

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { source, service, report } = options;
  const tracker = createAgentTracker();
  const spawned = new Map<string, Spawned>();
  const seen = new LruMap<string, string>(REMEMBERED);
  let unreadable: { readonly number: number; readonly text: string; readonly problem: string }[] =
    [];
  let log:
    | { readonly sessionId: string; readonly span: ReturnType<typeof createSpanMaker> }
    | undefined;
  let run: Run | undefined;
  let runs = 0;
  /** What has no time of its own came after what was last. */
  let lastMs = 0;

  function* finishRun(): Generator<SpanRecord> {
    if (run === undefined || log === undefined) return;
    yield* tellUnreadable(run, log);
    yield rootOf(run, log.span, runs++ === 0);
  }

  function* tellUnreadable(
    { traceId, spanId, end }: Run,
    { sessionId, span }: NonNullable<typeof log>,
  ): Generator<SpanRecord> {
    for (const payload of unreadable) {
      const time = { ms: end.ms, order: payload.number };
      const { number: line, text, problem } = payload;
      yield span({
        traceId,
        spanId: spanIdOf(source, sessionId, "unreadable line", `${line}`),
        parentSpanId: spanId,
        start: time,
        end: time,
        name: "unreadable line",
        attributes: { [ATTR_THOUGHTFLOW_STEP_LABEL]: "generic" },
        content: {
          [ATTR_THOUGHTFLOW_STEP_STARTED]: report.content(
            { line, text, problem },
            ATTR_THOUGHTFLOW_STEP_STARTED,
          ),
        },
      });
    }
    unreadable = [];
  }

  /** The exchange by an id of its own; nothing when the same line was there before. */
  function distinct(exchange: LoggedExchange, text: string): LoggedExchange | undefined {
    const body = hash("sha256", text);
    for (let count = 1; ; count++) {
      const requestId = count === 1 ? exchange.requestId : `${exchange.requestId}~${count}`;
      const known = seen.get(requestId);
      if (known === body) {
        report.lost("exchange that is logged twice");
        return undefined;
      }
      if (known !== undefined) continue;
      seen.set(requestId, body);
      if (count === 1) return exchange;
      report.warn(
        `two different answers have the id ${exchange.requestId}; the second is kept as ${requestId}`,
      );
      return { ...exchange, requestId };
    }
  }

  return {
    *exchange(given, { number, text }) {
      const exchange = distinct(given, text);
      if (exchange === undefined) return;
      const { requestId } = exchange;
      const sessionId =
        log?.sessionId ?? exchange.session ?? `${options.idPrefix}_${spanIdOf(source, requestId)}`;
      log ??= { sessionId, span: createSpanMaker(service, sessionId) };
      const { span } = log;
      const match = tracker.request({
        ...exchange,
        ms: exchange.startMs || lastMs,
        tools: exchange.tools.length,
      });
      tracker.response(requestId, exchange.output, exchange.responseId);
      const startMs = exchange.startMs || lastMs;
      const start = { ms: startMs, order: number };
      const end = { ms: Math.max(exchange.endMs, startMs), order: number };
      lastMs = end.ms;
      if (run === undefined || (run.isAnswered && isTurn(exchange, match))) {
        yield* finishRun();
        run = {
          traceId: traceIdOf(source, sessionId, requestId),
          spanId: spanIdOf(source, sessionId, "run", requestId),
          start,
          end,
          isAnswered: false,
          title: undefined,
        };
      }
      if (isWork(match)) {
        run.title ??= titleOf(exchange);
        run.isAnswered = true;
      }
      if (end.ms > run.end.ms) run.end = end;
      const spawn = match.spawn;
      if (spawn !== undefined) {
        spawned.set(match.agentId, {
          traceId: run.traceId,
          runSpanId: run.spanId,
          spanId: spanIdOf(source, sessionId, "agent", match.agentId),
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
        ...callSpan(exchange, match, sessionId),
        start,
        end,
      });
    },
    unreadable(line) {
      report.odd(line.problem);
      unreadable.push(line);
    },
    *finish() {
      if (log === undefined) return;
      for (const [agentId, agent] of spawned) yield agentSpan(agent, agentId, log.span);
      yield* finishRun();
    },
  };

  /** An agent's own work, and not what its program asks beside. */
  function isWork({ kind }: AgentMatch): boolean {
    return kind === "main" || (options.asksAlone && kind === "side");
  }

  /** A person said something to the main agent: the last message of its request is no tool's. */
  function isTurn({ messages }: LoggedExchange, match: AgentMatch): boolean {
    return (
      isWork(match) &&
      match.spawn === undefined &&
      !spawned.has(match.agentId) &&
      messages.at(-1)?.role === "user"
    );
  }

  function callIdOf(sessionId: string, requestId: string): string {
    return spanIdOf(source, sessionId, "request", requestId);
  }

  function callSpan(
    exchange: LoggedExchange,
    match: AgentMatch,
    sessionId: string,
  ): Omit<Parameters<ReturnType<typeof createSpanMaker>>[0], "traceId" | "start"> {
    const { model, operation, messages, system, tools, output, error, requestId } = exchange;
    const { continues, known, stretchOf } = match;
    const content = report.content;
    return {
      spanId: callIdOf(sessionId, requestId),
      name: model === undefined ? operation : `${operation} ${model}`,
      kind: "client",
      error,
      attributes: {
        [ATTR_GEN_AI_OPERATION_NAME]: operation,
        ...exchange.attributes,
        [ATTR_THOUGHTFLOW_CONTINUES]: continues && callIdOf(sessionId, continues.requestId),
        [ATTR_GEN_AI_AGENT_ID]: match.agentId,
        [ATTR_GEN_AI_AGENT_NAME]: nameOf(exchange, match),
      },
      content: {
        [ATTR_THOUGHTFLOW_REQUEST]: exchange.request.map((value) =>
          content(value, ATTR_THOUGHTFLOW_REQUEST),
        ),
        ...(system !== "" && {
          [ATTR_GEN_AI_SYSTEM_INSTRUCTIONS]: content(
            [{ type: "text", content: system }],
            ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
          ),
        }),
        ...(tools.length > 0 && {
          [ATTR_GEN_AI_TOOL_DEFINITIONS]: tools.map((tool) =>
            content(tool, ATTR_GEN_AI_TOOL_DEFINITIONS),
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

  function nameOf(exchange: LoggedExchange, { kind, spawn }: AgentMatch): string {
    if (kind === "probe") return "probe";
    if (kind === "side" && !options.asksAlone)
      return `side: ${exchange.system.slice(0, 40).split("\n")[0] || exchange.requestId}`;
    return spawn === undefined ? options.nameOf(exchange) : "sub-agent";
  }
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
