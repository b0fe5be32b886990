import type { Conversation } from "../conversation/conversation.ts";
import { START, withoutPending } from "../conversation/places.ts";
import type { Spawn } from "../conversation/spawns.ts";
import { type ImportedEdge, spanIdOf, traceIdOf } from "../imported-span.ts";
import { createRecordMap } from "../record-map.ts";
import { promptOf, type TranscriptLine } from "./records.ts";
import type { TranscriptState } from "./transcript-state.ts";

/** The agent that another one is below: the main one has no id. */
type Above = Pick<Conversation, "agentId">;

/** What is known of a sub-agent's file before it is read. */
export interface AgentFile {
  readonly agentId: string;
  /** The run of agents that it belongs to: the folder it is in. */
  readonly group: string | undefined;
  /** The tool call that asked for it, where the program noted that beside the file. */
  readonly toolUseId: string | undefined;
  /** The agent that it is below, where the program noted that beside the file. */
  readonly above: Above | undefined;
  /** What the program calls it as a member of a team. */
  readonly member: string | undefined;
  readonly prompt: string | undefined;
  readonly ms: number;
}

/** The conversations of a session: that of the main agent, and one for each sub-agent. */
export interface AgentConversations {
  /** The one that a record belongs to, begun where it is the first of it. */
  of(line: TranscriptLine, ms: number): Conversation;
  /** The same, `undefined` where nothing was said in it yet. */
  known(line: TranscriptLine): Conversation | undefined;
  readonly main: Conversation | undefined;
  /** Whether a sub-agent with this id is there. */
  has(agentId: string): boolean;
  all(): Iterable<Conversation>;
  /** Whether an id tells who asked for a sub-agent: its file may be read. */
  isNamed(file: AgentFile): boolean;
  /** Whether a call waits for what a sub-agent begins with, where no id will tell: it is that of the call, and its file may be read. */
  isAwaited(file: AgentFile): boolean;
  clear(): void;
}

const MAIN = "main";
/** What Claude Code calls agents that it begins itself. */
const SIDE_AGENT =
  /^a(compact|side_question|prompt_suggestion|session_memory|away_summary|agent_summary)-/;

export function createAgentConversations({
  id,
  report,
  rows,
  runs,
  places,
  spawns,
  tools,
}: TranscriptState): AgentConversations {
  const conversations = new Map<string, Conversation>();
  /** Those of agents that were asked for once more. */
  const earlier: Conversation[] = [];
  /** What an agent does for each call that asked for it, as progress records name that: late ones belong there, too. */
  const byCall = new Map<string, Conversation>();
  /** The conversation of a record: a side chain has no id of its own before version 2. */
  const keys = createRecordMap<string>(rows);
  /** What asked for a sub-agent, as its file was found. */
  const found = new Map<string, Spawn>();
  /** The agent that a sub-agent is below, as is noted beside its file. */
  const noted = new Map<string, Above>();

  function keyOf(line: TranscriptLine): string {
    if (line.agentId !== undefined) return line.agentId;
    if (!line.isSidechain) return MAIN;
    const above = line.parentUuid === undefined ? undefined : keys.get(line.parentUuid);
    return above ?? `side-${line.uuid ?? line.number}`;
  }

  function conversationOf(key: string, line: TranscriptLine, ms: number): Conversation {
    const known = conversations.get(key);
    const ofCall = `${key} ${line.parentToolUseId}`;
    const there = byCall.get(ofCall);
    if (there !== undefined) return there;
    if (known !== undefined && !isAskedAnew(known, line)) return known;
    const conversation: Conversation =
      key === MAIN ? { ...begun(), agentId: undefined } : subAgent(key, line, ms, known);
    conversations.set(key, conversation);
    if (line.parentToolUseId !== undefined) byCall.set(ofCall, conversation);
    return conversation;
  }

  /** Its work is done, and another tool call asks it for more: that is a part of the run which it is asked in. */
  function isAskedAnew({ agent }: Conversation, { parentToolUseId: tool }: TranscriptLine) {
    const asked = agent?.spawn?.task.toolUseId;
    if (tool === undefined || asked === undefined || tool === asked) return false;
    return spawns.isAsked(tool) && !tools.has(asked);
  }

  function begun(): Pick<Conversation, "place" | "call" | "compacted" | "last"> {
    return { place: START, call: undefined, compacted: undefined, last: undefined };
  }

  /** @param before What it did so far: it goes on from there. */
  function subAgent(
    agentId: string,
    line: TranscriptLine,
    ms: number,
    before: Conversation | undefined,
  ): Conversation {
    const tool = line.parentToolUseId;
    const prompt = promptOf(line);
    const spawn =
      (tool === undefined ? undefined : spawns.byTool(tool)) ??
      found.get(agentId) ??
      spawns.byAgent(agentId) ??
      (line.parentUuid === undefined ? undefined : spawns.byRecord(line.parentUuid)) ??
      (prompt === undefined ? undefined : spawns.byPrompt(prompt, ms, undefined, agentId));
    const side = spawn === undefined ? sideAgent(agentId, line, ms) : undefined;
    if (spawn === undefined && side === undefined) report.unasked(id, agentId);
    const above = spawn === undefined ? aboveOf(agentId, line) : undefined;
    const home = side?.run ?? (above && homeIn(above, ms));
    const traceId = spawn?.task.traceId ?? home?.traceId ?? traceIdOf("claude-code", id, agentId);
    const again = before === undefined ? [] : [tool ?? ""];
    const spanId = spanIdOf("claude-code", id, "agent", agentId, ...again);
    const start = { ms, order: line.number };
    const own = { ...(side && { name: side.name }), above, home: home?.spanId };
    const agent = { traceId, spanId, spawn, ...own, start, end: start };
    if (before === undefined) return { ...begun(), agentId, agent, handed: side?.edges };
    const { place } = before;
    before.place = withoutPending(place);
    earlier.push(before);
    return { ...begun(), place, agentId, agent };
  }

  /** What follows a record of another agent's is below that. */
  function aboveOf(agentId: string, { parentUuid = "" }: TranscriptLine): Above | undefined {
    const key = keys.get(parentUuid) ?? agentId;
    return noted.get(agentId) ?? (key === agentId ? undefined : conversations.get(key));
  }

  function homeIn({ agentId = MAIN }: Above, ms: number) {
    return conversations.get(agentId)?.agent ?? runs.at(ms);
  }

  /** What the program itself does with the main conversation, in the run that it does it in: to sum it up, to answer by the way. */
  function sideAgent(agentId: string, line: TranscriptLine, ms: number) {
    const { parentUuid, isStreamed } = line;
    if (line.agentId === undefined || isStreamed) return undefined;
    const there = parentUuid === undefined ? undefined : places.get(parentUuid);
    const isOfMain = there !== undefined && !keys.has(parentUuid ?? "");
    const name = SIDE_AGENT.exec(agentId)?.[1];
    const run = name !== undefined || isOfMain ? runs.at(ms) : undefined;
    if (run === undefined) return undefined;
    const edges: ImportedEdge[] =
      there?.after === undefined
        ? []
        : [{ to: `s_${there.after}`, type: "continues", origin: "observed" }];
    return { run, name: name ?? "fork", edges };
  }

  /** What follows a record of a side chain belongs to it, too. */
  function keyNoted(line: TranscriptLine): string {
    const key = keyOf(line);
    if (line.uuid !== undefined && key !== MAIN) keys.set(line.uuid, key);
    return key;
  }

  return {
    of: (line, ms) => conversationOf(keyNoted(line), line, ms),
    known: (line) => conversations.get(keyNoted(line)),
    get main() {
      return conversations.get(MAIN);
    },
    has: (agentId) => agentId !== MAIN && conversations.has(agentId),
    all: () => [...earlier, ...conversations.values()],
    isNamed({ agentId, group, toolUseId, above, member, prompt, ms }) {
      if (above !== undefined) noted.set(agentId, above);
      if (spawns.byAgent(agentId) !== undefined) return true;
      const spawn =
        (toolUseId === undefined ? undefined : spawns.byTool(toolUseId)) ??
        (group === undefined ? undefined : spawns.byAgent(group)) ??
        (member === undefined ? undefined : spawns.byMember(member, prompt, ms));
      if (spawn !== undefined) found.set(agentId, spawn);
      return spawn !== undefined;
    },
    isAwaited({ agentId, toolUseId, prompt, ms }) {
      if (toolUseId !== undefined || prompt === undefined || !spawns.isWaiting(prompt, ms))
        return false;
      const spawn = spawns.byPrompt(prompt, ms);
      if (spawn !== undefined) found.set(agentId, spawn);
      return spawn !== undefined;
    },
    clear() {
      keys.clear();
      noted.clear();
      earlier.length = 0;
      byCall.clear();
      conversations.clear();
    },
  };
}
