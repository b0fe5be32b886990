import { SPAWNING_TOOL } from "../codex/scripts.ts";
import { membersOf, type PlainObject, textOf, valueOrText } from "../plain-values.ts";
import type { LoggedExchange } from "../requests/logged-exchange.ts";

/** The tools by which Codex starts sub-agents. */
export const SPAWNING_TOOLS: ReadonlySet<string> = new Set([SPAWNING_TOOL]);

/**
 * What Codex says of itself in each request (`client_metadata`): a thread is an agent, the first one the session; the turns of all are
 * those of the root.
 */
export function codexThreadOf({
  client_metadata: told,
}: PlainObject): Pick<LoggedExchange, "session" | "agent" | "agentName" | "turn" | "isOfProgram"> {
  const metadata = membersOf(told);
  const turn = membersOf(valueOrText(metadata["x-codex-turn-metadata"]));
  const session = textOf(turn["session_id"]) ?? textOf(metadata["session_id"]);
  const id = textOf(turn["thread_id"]) ?? textOf(metadata["thread_id"]);
  const root = textOf(turn["root_turn_id"]) ?? textOf(metadata["root_turn_id"]);
  const isOfProgram = turn["request_kind"] === "compaction";
  if (session === undefined || id === undefined || id === session) {
    const own = textOf(turn["turn_id"]) ?? textOf(metadata["turn_id"]);
    return { session, agent: undefined, turn: root ?? own, isOfProgram };
  }
  const parent = textOf(turn["parent_thread_id"]);
  return {
    session,
    turn: root,
    isOfProgram,
    agent: { id, parentId: parent === session ? undefined : parent },
    // `/root/task`; without a task of its own it is called as the first one.
    agentName: /^\/root\/(?:.*\/)?([^/]+)$/.exec(textOf(turn["agent_name"]) ?? "")?.[1],
  };
}
