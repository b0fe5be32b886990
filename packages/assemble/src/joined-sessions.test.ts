import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { joinedHeads } from "./joined-sessions.ts";

test("an agent that a step of another session asked for rests on it, whatever it does in later stretches", () => {
  const head: Session = { schema_version: "1.0", session_id: "s", conversations: [] };
  const agent = { agent_id: "a", ordinal: 1 };
  const spawn = { spawned_by: `${"1".repeat(32)}/s_1`, origin: "observed" } as const;
  const joined = joinedHeads(
    { ...head, agents: [{ ...agent, ...spawn }] },
    { ...head, agents: [agent] },
  );
  expect(joined.agents).toEqual([{ ...agent, ...spawn }]);
});
