import { type ImportedEdge, spanIdOf } from "../imported-span.ts";
import { membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** What agents in the background came to: a tool reads it, which a model asks for or, once it is told that one is done, the program. */
export interface ReadAgents {
  /** A tool begins: it starts an agent, or reads what one came to. */
  toolBegan(data: PlainObject): void;
  /** @param callId The call that asked for it. */
  agentEnded(agentId: string, callId: string | undefined): void;
  /** What the call rests on that is given the tool's result. */
  handedBy(callId: string): readonly ImportedEdge[];
}

export function createReadAgents(sessionId: string): ReadAgents {
  /** The calls that asked for agents, by what those are called: older versions know them by that. */
  const byName = new Map<string, string>();
  /** Those that are over, by their ids and by the calls that asked for them. */
  const ended = new Map<string, string>();
  /** What each such tool reads that runs. */
  const read = new Map<string, string>();

  return {
    toolBegan({ toolCallId, toolName, arguments: args }) {
      const callId = textOf(toolCallId) ?? "";
      const { name, agent_id: agent } = membersOf(args);
      if (toolName === "task" && typeof name === "string") byName.set(name, callId);
      if (toolName === "read_agent" && typeof agent === "string") read.set(callId, agent);
    },
    agentEnded(agentId, callId) {
      ended.set(agentId, agentId);
      if (callId !== undefined) ended.set(callId, agentId);
    },
    handedBy(callId) {
      const named = read.get(callId) ?? "";
      read.delete(callId);
      const agentId = ended.get(named) ?? ended.get(byName.get(named) ?? "");
      if (agentId === undefined) return [];
      const to = `s_${spanIdOf("copilot-cli", sessionId, "agent", agentId)}`;
      return [{ to, type: "handoff", origin: "observed" }];
    },
  };
}
