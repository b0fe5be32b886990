import { listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { startedAgent } from "./records.ts";

/** The tool that starts a sub-agent. */
export const SPAWNING_TOOL = "spawn_agent";

/** In code mode there is one tool, which is given a script that calls all others. */
export const SCRIPTING_TOOL = "exec";
const SPAWNS = /\btools\s*(?:\.\s*|\[\s*["'`])(?:\w+(?:__|\s*\.\s*))?spawn_agent\b[^(]*\(/;

/** Whether a tool is given a script that starts sub-agents. */
export function isSpawningScript(name: string, input: unknown): boolean {
  return name === SCRIPTING_TOOL && typeof input === "string" && SPAWNS.test(input);
}

/** The calls of a thread that start sub-agents. */
export interface SpawningCalls {
  /** An item of the history. */
  asked(item: PlainObject): void;
  /** The call that the history has where an event names this one: what a script calls has ids of its own. */
  callOf(id: string): string;
  /** The threads that a result names, or the paths of them. */
  startedIn(callId: string, result: unknown): readonly string[];
}

export function createSpawningCalls(): SpawningCalls {
  const calls = new Set<string>();
  const scripts = new Set<string>();
  let latest: string | undefined;
  return {
    asked({ name, call_id, input }) {
      const callId = textOf(call_id);
      if (callId === undefined) return;
      if (name === SPAWNING_TOOL) calls.add(callId);
      if (!isSpawningScript(textOf(name) ?? "", input)) return;
      latest = callId;
      scripts.add(callId);
    },
    callOf: (id) => (calls.has(id) ? id : (latest ?? id)),
    startedIn(callId, result) {
      const started = startedAgent(result);
      if (started !== undefined) return [started];
      if (!scripts.has(callId)) return [];
      const texts = [result, ...listOf(result)].map(
        (part) => textOf(membersOf(part)["text"]) ?? part,
      );
      return texts.flatMap((text) => (typeof text === "string" ? namedIn(text) : []));
    },
  };
}

function namedIn(text: string): readonly string[] {
  return [...text.matchAll(/"agent_id"\s*:\s*"([^"]+)"/g)].flatMap(([, id]) => id ?? []);
}
