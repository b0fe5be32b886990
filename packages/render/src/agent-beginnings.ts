import type { Session } from "@thoughtflow/schema";
import { snippet } from "./clean-text.ts";
import { messageWords } from "./step-summary.ts";
import { momentOf } from "./step-times.ts";

/** How an agent began. */
export interface AgentBeginning {
  /** Its first model call, milliseconds since 1970; `Infinity` where no time is known. */
  readonly start: number;
  /** What it was first told, one line of at most 1,000 characters; empty where that is not known. */
  readonly task: string;
}

const LONGEST = 1_000;

/** By the agents' ids. @param needsTask Of which agents what they were told is read. */
export function agentBeginnings(
  { agents = [], conversations }: Session,
  needsTask: (id: string) => boolean,
): ReadonlyMap<string, AgentBeginning> {
  const starts = new Map<string, number>();
  const tasks = new Map<string, string>();
  for (const { steps } of conversations)
    for (const step of steps) {
      const { agent_id: id = "", label, started_at } = step;
      if (label === "assistant_call") {
        const start = momentOf(started_at) ?? Infinity;
        if (start < (starts.get(id) ?? Infinity)) starts.set(id, start);
      } else if (label === "user_message" && !tasks.has(id) && needsTask(id)) {
        tasks.set(id, snippet(messageWords(step) ?? "", LONGEST));
      }
    }
  return new Map(
    agents.map(({ agent_id: id, started_at }) => [
      id,
      { start: starts.get(id) ?? momentOf(started_at) ?? Infinity, task: tasks.get(id) ?? "" },
    ]),
  );
}
