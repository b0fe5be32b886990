import type { Attributes, ContentAttributes } from "@thoughtflow/schema";
import type { ImportedEdge, ImportedTime } from "../imported-span.ts";
import type { Inherited } from "./inherited.ts";
import type { Place } from "./places.ts";
import type { Spawn } from "./spawns.ts";

/** What a person asked for until the next time. */
export interface Run {
  readonly key: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly start: ImportedTime;
  end: ImportedTime;
  /** `abandoned` where it waits for a tool for ever; `completed` where the program says so, and where nothing else is known. */
  status: "aborted" | "error" | "abandoned" | "completed" | undefined;
  /** The order of the main agent's last answer. */
  answeredAt: number;
  /** What it began with, where the program says so: the model, its servers. */
  initialState?: object | undefined;
  /** What it came to, where the program says so: an exit status, a patch. */
  finalState?: object | undefined;
  /** The program will say how it ended, perhaps when the next one has begun. */
  isAwaited?: boolean;
  /** What began it; absent where a person did. */
  trigger?: string | undefined;
  /** What the session may be called, where nobody says it. */
  title: string | undefined;
}

/** A sub-agent. */
export interface Agent {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent where nothing is known to have asked for it. */
  readonly spawn: Spawn | undefined;
  /** The agent that it is below, where an id names that, and no call that asked for it. */
  readonly above?: { readonly agentId?: string | undefined } | undefined;
  /** The span of the run, or of the agent, that it belongs to where no call asked for it. */
  readonly home?: string | undefined;
  /** What it calls itself. */
  readonly name?: string;
  readonly start: ImportedTime;
  end: ImportedTime;
  /** How it ended, where somebody stopped it after it was told something last, or the program was killed. */
  status?: Run["status"];
  /** Of its last answer. */
  error?: OpenCall["error"];
}

/** What is said between a model and one agent: the main one, or a sub-agent. */
export interface Conversation {
  /** Absent in the main one. */
  readonly agentId: string | undefined;
  readonly agent?: Agent;
  place: Place;
  /** What its next call is given rests on these: what other agents said to it since the last one. */
  handed?: readonly ImportedEdge[] | undefined;
  /** What it took over from another session, where it began as a copy. */
  inherited?: Inherited;
  call: OpenCall | undefined;
  /** What its calls are given beside messages, until something else is said of one; and the same as it is kept. */
  given?: CallSetting | undefined;
  setting?: ContentAttributes | undefined;
  /** The call before the history was replaced by a summary. */
  compacted: string | undefined;
  /** When something happened last, milliseconds. */
  last: number | undefined;
}

/** Tokens that stand at no call of their own. */
export interface TokensBeside {
  /** Of the step that has them. */
  readonly name: string;
  /** `undefined` where it may be of several. */
  readonly model: string | undefined;
  /** Tokens, the model and what they cost if that is told, as attributes. */
  readonly attributes: Attributes;
}

/** A call of the model, of whose answer more may come. */
export interface OpenCall {
  readonly messageId: string | undefined;
  readonly spanId: string;
  readonly traceId: string;
  readonly parentSpanId: string;
  readonly requestId: string | undefined;
  readonly start: ImportedTime;
  end: ImportedTime;
  readonly after: string | undefined;
  /** Messages as JSON texts. */
  readonly input: readonly string[];
  /** So many of them, from the first, are instructions that came before `after`. Default: none. */
  readonly retold?: number;
  /** Of the answer, as JSON texts. */
  readonly parts: string[];
  readonly edges: readonly ImportedEdge[];
  /** `anthropic`, `openai` …; absent where nobody says it. */
  provider: string | undefined;
  model: string | undefined;
  /** Tokens, as attributes. */
  usage: Attributes;
  /** Of other inferences within its answer. Default: there were none. */
  within?: readonly TokensBeside[];
  stopReason: string | undefined;
  error: { readonly type: string; readonly message?: string } | undefined;
  /** What else is said of the call, as attributes. */
  more?: Attributes;
  /** The system prompt and the tools, as they are kept: see `ConversationSpans.setting`. */
  setting?: ContentAttributes | undefined;
}

/** What a model is given beside the messages. */
export interface CallSetting {
  readonly instructions?: string | undefined;
  /** In the conventions' form. */
  readonly tools?: readonly unknown[] | undefined;
}

/** A tool that was asked for and has not answered yet. */
export interface OpenTool {
  readonly toolUseId: string;
  readonly name: string;
  /** As they are kept: see `ConversationSpans.arguments`. */
  readonly arguments: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly start: ImportedTime;
  /** Nobody says when it was asked for: `start` is not later than that. */
  readonly isUntimed?: boolean;
  readonly conversation: Conversation;
}

/** How a tool call ended. */
export interface ToolOutcome {
  readonly result: unknown;
  /** The result as it is kept: see `ConversationSpans.result`. */
  readonly kept: string | undefined;
  readonly isError: boolean;
  /** What it rests on beside the call that asked for it. */
  readonly edges?: readonly ImportedEdge[];
}

/** What a tool gave, as a model is given it. */
export interface ToolAnswer {
  readonly callId: string | undefined;
  /** See `ConversationSpans.result`. */
  readonly kept: string | undefined;
}
