import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import type { LoggedAnswer, LoggedRequest } from "../../../testing/logged-lines.ts";
import { REQUEST_LOGS } from "../../../testing/request-logs.ts";

const TWICE = "Find all usages of the function parseHeader in the repository.";
const ONCE = "List every file that has more than five hundred lines.";
const NESTED = "Count the lines of the file src/parse.ts exactly.";
const NEVER_BEGUN = "This task is asked for and never begins anywhere at all.";
const NEVER_ASKED = "An orphan prompt that no task has ever asked for.";

const asked: LoggedAnswer = {
  text: "I ask others.",
  tasks: [
    ["t1", TWICE],
    ["t2", TWICE],
    ["t3", ONCE],
    ["t4", NEVER_BEGUN],
  ],
};
const nested: LoggedAnswer = { text: "I ask, too.", tasks: [["n1", NESTED]] };

/** The first answer streams for thirty seconds; what it asks for begins while it does, and ends before. */
const REQUESTS: readonly LoggedRequest[] = [
  { from: 0, to: 30, system: "main", said: ["Clean up."], answer: asked },
  { from: 10, to: 16, system: "sub", said: [TWICE], answer: { text: "three usages" } },
  { from: 12, to: 26, system: "sub", said: [TWICE], answer: nested },
  { from: 14, to: 18, system: "sub", said: [ONCE], answer: { text: "two files" } },
  { from: 17, to: 22, system: "sub", said: [NESTED], answer: { text: "211 lines" } },
  {
    from: 27,
    to: 29,
    system: "sub",
    said: [TWICE, nested, { results: ["n1"] }],
    answer: { text: "four usages" },
  },
  {
    from: 31,
    to: 35,
    system: "main",
    said: ["Clean up.", asked, { results: ["t1", "t2", "t3", "t4"] }],
    answer: { text: "All done." },
  },
  { from: 36, to: 38, system: "other", said: [NEVER_ASKED], answer: { text: "nobody asked" } },
];

test.each(REQUEST_LOGS)(
  "%s: agents that began while the answer that asked for them was on its way are its children",
  async (_, format, lineOf) => {
    const lines = REQUESTS.map((request, n) => ({ to: request.to, line: lineOf(request, n) }));
    // As a proxy writes: what was over first stands first.
    const text = lines
      .toSorted((a, b) => a.to - b.to)
      .map(({ line }) => `${JSON.stringify(line)}\n`)
      .join("");
    const { records } = await recordsOfText(format, text);
    const [session] = assemble(records) as [Session];
    expect(checkSession(session)).toEqual([]);
    const steps = session.conversations.flatMap((run) => run.steps);
    const callIds = new Map(steps.map((step) => [step.step_id, step.payload_started?.["call_id"]]));
    const agents = (session.agents ?? []).map(({ agent_id, parent_agent_id, spawned_by }) => [
      agent_id,
      parent_agent_id,
      callIds.get(spawned_by?.split("/").at(-1) ?? ""),
      steps
        .find((step) => step.agent_id === agent_id && step.label === "agent")
        ?.edges?.find(({ type }) => type === "subagent_spawn")?.confidence,
    ]);
    expect(agents).toEqual([
      ["agent_msg_0", undefined, undefined, undefined],
      ["agent_msg_1", "agent_msg_0", "t1", 0.475],
      ["agent_msg_2", "agent_msg_0", "t2", 0.475],
      ["agent_msg_3", "agent_msg_0", "t3", 0.95],
      ["agent_msg_4", "agent_msg_2", "n1", 0.95],
      ["agent_msg_7", undefined, undefined, undefined],
    ]);
  },
);
