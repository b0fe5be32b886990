import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { hashOfWords } from "./hash-of-words.ts";

/** A tool call that starts a sub-agent. */
export interface Task {
  readonly name: string;
  readonly toolUseId: string;
  readonly spanId: string;
  readonly traceId: string;
  /** What the call names the agent, else its kind: `general-purpose`, `Explore` … */
  readonly type: string | undefined;
  readonly description: string | undefined;
  readonly ms: number;
  agentId: string | undefined;
  /** The prompts for which no sub-agent was found, as their hashes. */
  waiting: readonly string[];
  /** So many sub-agents that it asked for were not found. */
  missing: number;
  /** When it was answered, milliseconds. */
  endMs: number | undefined;
  /** It ended with an error: perhaps no agent came, perhaps one that failed. */
  hasFailed: boolean;
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
  asked(call: Pick<Task, "name" | "toolUseId" | "spanId" | "traceId" | "ms"> & Asked): void;
  /** Whether this tool call asks for an agent. */
  isAsked(toolUseId: string): boolean;
  /**
   * What the tool answered names the agent, or the run of several. Where that one was found to be of another call with the same words
   * before, this one waits for the agent that is left.
   */
  answered(toolUseId: string, agentId: string): void;
  /** It names the member of a team that the agent is: each call begins another one, perhaps of the same name. */
  joined(toolUseId: string, member: string): void;
  /**
   * The call has its result: no agent begins for it any more, but in the background. After an error nobody waits for its agent, and
   * of several with one prompt another one has it.
   */
  ended(toolUseId: string, ms: number, hasFailed: boolean): void;
  byTool(toolUseId: string): Spawn | undefined;
  /** The call that a record holds. */
  byRecord(uuid: string): Spawn | undefined;
  byAgent(agentId: string): Spawn | undefined;
  /** Of the tasks that name this member the one with the prompt, else the latest that no agent was found for. */
  byMember(member: string, prompt: string | undefined, ms: number): Spawn | undefined;
  /**
   * The earliest task with this prompt that no agent was found or named for, within an hour before it began: of those that had no
   * result by then, else of all.
   *
   * @param among the ids of the calls that it can be; default: all
   * @param agentId whose prompt it is
   */
  byPrompt(
    prompt: string,
    ms: number,
    among?: ReadonlySet<string>,
    agentId?: string,
  ): Spawn | undefined;
  /** Whether a task with this prompt had no agent and no result when this one began. */
  isWaiting(prompt: string, ms: number): boolean;
  readonly untaken: number;
}

interface Asked {
  /** Of the record that holds the call. */
  readonly uuid?: string | undefined;
  readonly name: string;
  readonly input: unknown;
  /** It is a script that asks for sub-agents: how many, and what for, only its run tells. Default false. */
  readonly isScript?: boolean;
}

const WINDOW_MS = 3_600_000;
/** Of the same words; of several tasks with them that wait each is as likely. */
const CONFIDENCE_PROMPT = 0.95;
/** What clocks and writers may be off by. */
const SLACK_MS = 5_000;

/**
 * @param spawning The tools by which the program starts sub-agents.
 * @param promptsOf What such a tool's input asks them; of several each is for an agent of its own, and `undefined` asks for none.
 */
export function createSpawns(
  spawning: ReadonlySet<string>,
  promptsOf: (input: PlainObject) => readonly string[] | undefined = promptIn,
): Spawns {
  const byTool = new Map<string, Task>();
  const byRecord = new Map<string, Task>();
  const byAgent = new Map<string, Task>();
  const byMember = new Map<string, Task[]>();
  const byPrompt = new Map<string, Task[]>();
  /** The words by which agents were found. */
  const foundBy = new Map<string, string>();

  function taken(task: Task | undefined): Spawn | undefined {
    if (task === undefined) return undefined;
    found(task);
    return { task, origin: "observed" };
  }

  /** What names a call doesn't say which of its prompts it stands for: none waits any more. */
  function found(task: Task): void {
    task.waiting = [];
    task.missing = 0;
  }

  function fittingAt(key: string, ms: number): readonly Task[] {
    return (byPrompt.get(key) ?? []).filter(
      ({ waiting, agentId, ms: asked }) =>
        waiting.includes(key) &&
        agentId === undefined &&
        ms >= asked - SLACK_MS &&
        ms <= asked + WINDOW_MS,
    );
  }

  return {
    asked({ name, input, uuid, isScript = false, ...call }) {
      if (!spawning.has(name) && !isScript) return;
      const { name: own, subagent_type: type, agent_name, agent, description } = membersOf(input);
      const waiting = isScript ? [] : promptsOf(membersOf(input))?.map(hashOfWords);
      if (waiting === undefined) return;
      const task: Task = {
        ...call,
        name,
        type: textOf(own) ?? textOf(type) ?? textOf(agent_name) ?? textOf(agent),
        description: textOf(description),
        agentId: undefined,
        waiting,
        missing: isScript ? 0 : Math.max(1, waiting.length),
        endMs: undefined,
        hasFailed: false,
      };
      byTool.set(call.toolUseId, task);
      if (uuid !== undefined) byRecord.set(uuid, task);
      for (const key of new Set(waiting)) byPrompt.set(key, [...(byPrompt.get(key) ?? []), task]);
    },
    isAsked: (toolUseId) => byTool.has(toolUseId),
    answered(toolUseId, agentId) {
      const task = byTool.get(toolUseId);
      if (task === undefined || task.waiting.includes(foundBy.get(agentId) ?? "")) return;
      task.agentId = agentId;
      // One that is asked for more was begun by the call that asked for it first.
      if (byAgent.has(agentId)) found(task);
      else byAgent.set(agentId, task);
    },
    joined(toolUseId, member) {
      const task = byTool.get(toolUseId);
      if (task === undefined) return;
      task.agentId = member;
      byMember.set(member, [...(byMember.get(member) ?? []), task]);
    },
    ended(toolUseId, ms, hasFailed) {
      const task = byTool.get(toolUseId);
      if (task !== undefined) Object.assign(task, { endMs: ms, hasFailed });
    },
    byRecord: (uuid) => taken(byRecord.get(uuid)),
    byTool: (toolUseId) => taken(byTool.get(toolUseId)),
    byAgent: (agentId) => taken(byAgent.get(agentId)),
    byMember(member, prompt, ms) {
      const tasks = byMember.get(member) ?? [];
      const free = tasks.filter((task) => task.missing > 0 && ms >= task.ms - SLACK_MS);
      const key = prompt === undefined ? undefined : hashOfWords(prompt);
      const asking = likely(free, ({ waiting }) => key !== undefined && waiting.includes(key));
      const spawn = taken(asking.at(-1) ?? tasks.at(-1));
      if (spawn === undefined || asking.length < 2) return spawn;
      return { ...spawn, origin: "inferred", confidence: 1 / asking.length };
    },
    byPrompt(prompt, ms, among, agentId) {
      const key = hashOfWords(prompt);
      const fitting = fittingAt(key, ms).filter(({ toolUseId }) => among?.has(toolUseId) !== false);
      const asking = likely(
        likely(fitting, (task) => !isOver(task, ms)),
        ({ hasFailed }) => !hasFailed,
      );
      const [task] = asking;
      if (task === undefined) return undefined;
      task.waiting = task.waiting.toSpliced(task.waiting.indexOf(key), 1);
      task.missing--;
      if (agentId !== undefined) foundBy.set(agentId, key);
      return { task, origin: "inferred", confidence: CONFIDENCE_PROMPT / asking.length };
    },
    isWaiting: (prompt, ms) => fittingAt(hashOfWords(prompt), ms).some((task) => !isOver(task, ms)),
    get untaken() {
      let count = 0;
      for (const { missing, hasFailed } of byTool.values()) count += hasFailed ? 0 : missing;
      return count;
    },
  };
}

function isOver({ endMs = Number.POSITIVE_INFINITY }: Task, ms: number): boolean {
  return ms > endMs;
}

/** Those that fit better, if there are any. */
function likely(tasks: readonly Task[], isLikely: (task: Task) => boolean): readonly Task[] {
  const those = tasks.filter(isLikely);
  return those.length > 0 ? those : tasks;
}

function promptIn({ prompt }: PlainObject): readonly string[] {
  const text = textOf(prompt);
  return text === undefined ? [] : [text];
}
