import type { At } from "./agent-events.ts";

/** The agent that is called `id`, which in a session is the main one where the session is called so; `undefined` where nobody is named. */
export function agentAbove(
  id: string | undefined,
  sessionId: string,
): Pick<At, "agentId"> | undefined {
  return id === undefined ? undefined : { agentId: id === sessionId ? undefined : id };
}
