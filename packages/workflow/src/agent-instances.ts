import type { WorkflowCall } from "./workflow-calls.ts";
import type { AgentInstance, AgentNode } from "./workflow-document.ts";
import type { Entities } from "./workflow-entities.ts";

/** The agents as entities: what seed 002 tells an agent instance by stands beside its node. */
export function agentInstancesOf(
  nodes: readonly AgentNode[],
  calls: readonly WorkflowCall[],
  { messages, places }: Pick<Entities, "messages" | "places">,
): readonly AgentInstance[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  /** How many messages a conversation has up to this one. */
  const counts = new Map<string, number>();
  // A message stands behind its parent.
  for (const { id, parent } of messages) counts.set(id, (counts.get(parent ?? "") ?? 0) + 1);
  const ends = new Map<string, string>();
  const firsts = new Map<string, string | null>();
  for (const call of calls) {
    const { input, output } = places.get(call) ?? { input: null, output: [] };
    const end = output.at(-1) ?? input;
    if (end !== null) ends.set(call.agentId, end);
    if (!firsts.has(call.agentId)) firsts.set(call.agentId, firstGiven(call, input));
  }
  return nodes.map((node) => {
    const end = ends.get(node.agent_id);
    return {
      ...node,
      conversation_fingerprint: end ?? null,
      message_count: counts.get(end ?? "") ?? 0,
      first_user_message: firsts.get(node.agent_id) ?? null,
    };
  });

  /** The first of what was new in a call, counted back from the last. */
  function firstGiven({ given }: WorkflowCall, input: string | null): string | null {
    let at = given.length === 0 ? null : input;
    for (let left = given.length - 1; left > 0 && at !== null; left--)
      at = byId.get(at)?.parent ?? null;
    return at;
  }
}
