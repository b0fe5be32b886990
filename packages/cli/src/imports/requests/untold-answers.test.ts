import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import type { LoggedAnswer, LoggedRequest } from "../../../testing/logged-lines.ts";
import { REQUEST_LOGS } from "../../../testing/request-logs.ts";

const TWICE = "Find all usages of the function parseHeader in the repository.";
const ONCE = "List every file that has more than five hundred lines.";

const asked: LoggedAnswer = {
  text: "I ask others.",
  tasks: [
    ["t1", TWICE],
    ["t2", ONCE],
    ["t3", TWICE],
  ],
};
const looks: LoggedAnswer = { text: "I look.", tasks: [["g1", "parseHeader in all files"]] };

/** Nothing of what was answered is logged. */
const REQUESTS: readonly LoggedRequest[] = [
  { from: 0, to: 5, system: "main", said: ["Clean up."] },
  { from: 6, to: 7, system: "sub", said: [TWICE] },
  { from: 6.2, to: 8, system: "sub", said: [TWICE] },
  { from: 6.4, to: 9, system: "sub", said: [ONCE] },
  { from: 10, to: 12, system: "sub", said: [TWICE, looks, { results: ["g1"] }] },
  { from: 20, to: 22, system: "main", said: ["Clean up.", asked, { results: ["t1", "t2", "t3"] }] },
  { from: 30, to: 32, system: "other", said: ["Nobody asked for this at all."] },
];

test.each(REQUEST_LOGS)(
  "%s: agents are the children of the calls that a later history shows, where nobody logged the answer",
  async (_, format, lineOf) => {
    const lines = REQUESTS.map((request, n) => JSON.stringify(lineOf(request, n)));
    const { records } = await recordsOfText(format, `${lines.join("\n")}\n`);
    const [session] = assemble(records) as [Session];
    expect(checkSession(session)).toEqual([]);
    const steps = session.conversations.flatMap((run) => run.steps);
    const callIds = new Map(steps.map((step) => [step.step_id, step.payload_started?.["call_id"]]));
    const { agents = [] } = session;
    const spawns = agents.map(({ agent_id, parent_agent_id, spawned_by, totals }) => [
      agents.findIndex((one) => one.agent_id === parent_agent_id),
      callIds.get(spawned_by?.split("/").at(-1) ?? ""),
      totals?.model_calls,
      steps
        .find((step) => step.agent_id === agent_id && step.label === "agent")
        ?.edges?.find(({ type }) => type === "subagent_spawn")?.confidence,
    ]);
    expect(spawns).toEqual([
      [-1, undefined, 2, undefined],
      [0, "t1", 2, 0.475],
      [0, "t2", 1, 0.95],
      [0, "t3", 1, 0.475],
      [-1, undefined, 1, undefined],
    ]);
    expect(session.conversations).toHaveLength(2);
  },
);

test.each(REQUEST_LOGS)(
  "%s: it was asked for by the request whose answer nobody logged, and not by the one before or after it",
  async (_, format, lineOf) => {
    const asks: LoggedAnswer = { text: "I ask.", tasks: [["t1", ONCE]] };
    const which: LoggedAnswer = { text: "What of it?" };
    const begun = ["Clean up.", which, "All of it."];
    const requests: readonly LoggedRequest[] = [
      { from: 0, to: 2, system: "main", said: ["Clean up."], answer: which },
      { from: 4, to: 5, system: "main", said: begun },
      { from: 6, to: 9, system: "sub", said: [ONCE], answer: { text: "There are three." } },
      { from: 20, to: 22, system: "main", said: [...begun, asks, { results: ["t1"] }] },
    ];
    const lines = requests.map((request, n) => JSON.stringify(lineOf(request, n)));
    const { records } = await recordsOfText(format, `${lines.join("\n")}\n`);
    const { entities, workflow_dag } = workflowOfSessions(assemble(records), {
      extractionTimestamp: "2026-01-01T00:00:00Z",
    });
    const places = new Map(
      entities.api_requests
        .toSorted((a, b) => ((a.timestamp ?? "") < (b.timestamp ?? "") ? -1 : 1))
        .map(({ id }, place) => [id, place]),
    );
    const spawns = workflow_dag.edges.filter(({ type }) => type === "subagent_spawn");
    expect(
      spawns.map(({ source_request_id: from, target_request_id: to, spawned_by_task_id }) => [
        places.get(from ?? ""),
        places.get(to ?? ""),
        spawned_by_task_id,
      ]),
    ).toEqual([[1, 2, "t1"]]);
  },
);
