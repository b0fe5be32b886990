import { hash } from "node:crypto";
import { membersOf, textOf } from "../plain-values.ts";

/** A tool call that starts a sub-agent. */
export interface Task {
  readonly name: string;
  readonly toolUseId: string;
  readonly spanId: string;
  readonly traceId: string;
  /** `general-purpose`, `Explore` … */
  readonly type: string | undefined;
  readonly description: string | undefined;
  readonly ms: number;
  agentId: string | undefined;
  /** A sub-agent was found for it. */
  isTaken: boolean;
}

/** How a sub-agent was found to be that of a task. */
export interface Spawn {
  readonly task: Task;
  /** `observed` by an id, `inferred` by the prompt. */
  readonly origin: "observed" | "inferred";
  /** From 0 to 1, of what is inferred. */
  readonly confidence?: number;
}

/** The sub-agents that a session asked for: found by id first, by prompt second, by name never. */
export interface Spawns {
  asked(call: Omit<Task, "type" | "description" | "agentId" | "isTaken"> & Asked): void;
  /** Whether this tool call asks for an agent. */
  isAsked(toolUseId: string): boolean;
  /** What the tool answered names the agent, or the run of several. */
  answered(toolUseId: string, agentId: string): void;
  /** The tool refused: no agent will come. */
  refused(toolUseId: string): void;
  byTool(toolUseId: string): Spawn | undefined;
  /** The call that a record holds. */
  byRecord(uuid: string): Spawn | undefined;
  byAgent(agentId: string): Spawn | undefined;
  /** The earliest task with this prompt that no agent was found or named for, within an hour before it began. */
  byPrompt(prompt: string, ms: number): Spawn | undefined;
  readonly untaken: number;
}

interface Asked {
  /** Of the record that holds the call. */
  readonly uuid: string | undefined;
  readonly name: string;
  readonly input: unknown;
}

const WINDOW_MS = 3_600_000;
/** Of the same words; of several tasks with them that wait each is as likely. */
const CONFIDENCE_PROMPT = 0.95;
/** What clocks and writers may be off by. */
const SLACK_MS = 5_000;

/** @param spawning The tools by which the program starts sub-agents. */
export function createSpawns(spawning: ReadonlySet<string>): Spawns {
  const byTool = new Map<string, Task>();
  const byRecord = new Map<string, Task>();
  const byAgent = new Map<string, Task>();
  const byPrompt = new Map<string, Task[]>();

  function taken(task: Task | undefined): Spawn | undefined {
    if (task === undefined) return undefined;
    task.isTaken = true;
    return { task, origin: "observed" };
  }

  return {
    asked({ name, input, uuid, ...call }) {
      if (!spawning.has(name)) return;
      const { subagent_type: type, description, prompt, tasks } = membersOf(input);
      const task: Task = {
        ...call,
        name,
        type: textOf(type),
        description: textOf(description),
        agentId: undefined,
        isTaken: false,
      };
      byTool.set(call.toolUseId, task);
      if (uuid !== undefined) byRecord.set(uuid, task);
      const prompts = [prompt, ...Object.values(membersOf(tasks))].flatMap(
        (one) => textOf(one) ?? [],
      );
      for (const [n, text] of prompts.entries()) {
        const key = normalised(text);
        // Each of several prompts in one call is for an agent of its own.
        byPrompt.set(key, [...(byPrompt.get(key) ?? []), n === 0 ? task : { ...task }]);
      }
    },
    isAsked: (toolUseId) => byTool.has(toolUseId),
    answered(toolUseId, agentId) {
      const task = byTool.get(toolUseId);
      if (task === undefined) return;
      task.agentId = agentId;
      // One that is asked for more was begun by the call that asked for it first.
      if (byAgent.has(agentId)) task.isTaken = true;
      else byAgent.set(agentId, task);
    },
    refused(toolUseId) {
      byTool.delete(toolUseId);
    },
    byRecord: (uuid) => taken(byRecord.get(uuid)),
    byTool: (toolUseId) => taken(byTool.get(toolUseId)),
    byAgent: (agentId) => taken(byAgent.get(agentId)),
    byPrompt(prompt, ms) {
      const waiting = (byPrompt.get(normalised(prompt)) ?? []).filter(
        ({ isTaken, agentId, ms: asked }) =>
          !isTaken && agentId === undefined && ms >= asked - SLACK_MS && ms <= asked + WINDOW_MS,
      );
      const [task] = waiting;
      if (task === undefined) return undefined;
      task.isTaken = true;
      return { task, origin: "inferred", confidence: CONFIDENCE_PROMPT / waiting.length };
    },
    get untaken() {
      let count = 0;
      for (const { isTaken } of byTool.values()) if (!isTaken) count++;
      return count;
    },
  };
}

/** Tells prompts apart that differ by more than white space; the words themselves would stay in memory. */
function normalised(prompt: string): string {
  return hash("sha256", prompt.replace(/\s+/g, " ").trim(), "base64url");
}
