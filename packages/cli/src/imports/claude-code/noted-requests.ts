import type { ContentAttributes } from "@thoughtflow/schema";
import { systemOfAnthropic, toolsOfAnthropic } from "../anthropic-message.ts";
import type { ConversationSpans } from "../conversation/conversation-spans.ts";
import { membersOf, textOf } from "../plain-values.ts";
import type { TranscriptLine } from "./records.ts";

/** What the program was about to send, as versions from 2.1.330 on note it: the system prompts and the tools are noted once. */
export interface NotedRequests {
  /** A system prompt and tools that requests name by their hash. */
  takeShape(line: TranscriptLine): void;
  take(line: TranscriptLine): void;
  /** Its request is answered. What was given to the model that did so; `undefined` where it is not known, or was asked for before. */
  answered(answer: TranscriptLine): ContentAttributes | undefined;
  /** The requests of an agent failed, as the program says: nothing more is to be told of them. */
  failed(agentId: string | undefined): void;
  /** How many of them nobody answered, as far as the transcript tells; of very many those are counted that were asked last. */
  readonly unanswered: number;
  clear(): void;
}

/** Those used last are known; a sub-agent's file tells its own anew. */
const MOST_SHAPES = 64;
/** Requests that nobody answered are forgotten after so many others. */
const MOST_REQUESTS = 1_000;

export function createNotedRequests(spans: Pick<ConversationSpans, "setting">): NotedRequests {
  const shapes = new Map<string, ContentAttributes>();
  /** Those that were not answered yet. */
  const asked = new Map<string, { readonly hash: string; readonly agentId: string | undefined }>();

  return {
    takeShape({ record }) {
      const hash = textOf(record["shapeHash"]);
      if (hash === undefined) return;
      const { system, tools } = membersOf(record["shape"]);
      const kept = shapes.get(hash);
      const setting =
        kept ??
        spans.setting({
          instructions: systemOfAnthropic(system) || undefined,
          tools: toolsOfAnthropic(tools),
        });
      setLast(shapes, hash, setting, MOST_SHAPES);
    },

    take({ record, agentId }) {
      const id = textOf(record["id"]);
      const hash = textOf(record["shapeHash"]);
      if (id !== undefined && hash !== undefined)
        setLast(asked, id, { hash, agentId }, MOST_REQUESTS);
    },

    answered({ record }) {
      const id = textOf(record["requestRef"]) ?? "";
      const { hash } = asked.get(id) ?? {};
      if (hash === undefined) return undefined;
      asked.delete(id);
      const setting = shapes.get(hash);
      if (setting !== undefined) setLast(shapes, hash, setting, MOST_SHAPES);
      return setting;
    },

    failed(agentId) {
      for (const [id, request] of asked) if (request.agentId === agentId) asked.delete(id);
    },

    get unanswered() {
      return asked.size;
    },

    clear() {
      shapes.clear();
      asked.clear();
    },
  };
}

/** Sets it as the last one, and lets the first go where there are too many. */
function setLast<Value>(to: Map<string, Value>, key: string, value: Value, most: number): void {
  to.delete(key);
  to.set(key, value);
  if (to.size <= most) return;
  const [first] = to.keys();
  if (first !== undefined) to.delete(first);
}
