import { expect, test } from "vitest";
import { subAgentsOf } from "./timeline-items.ts";

test("one agent may have asked any number of others", () => {
  const asked = Array.from({ length: 200_000 }, (_, n) => ({
    agent_id: `a${n}`,
    name: `agent ${n}`,
    parent_agent_id: "main",
  }));
  const agents = [{ agent_id: "main", name: "boss" }, ...asked];
  expect(subAgentsOf({ session_id: "s", agents, conversations: [] }).size).toBe(200_000);
});
