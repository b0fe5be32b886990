import { hash } from "node:crypto";
import { recordsFromSession } from "@thoughtflow/assemble";
import { createAgentSession } from "../conversation/agent-session.ts";
import { type ImportFormat, ImportProblem } from "../import-format.ts";
import { jsonOf } from "../json-of.ts";
import { createLossCounter } from "../loss-table.ts";
import { listOf, membersOf, textOf } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import { ATIF_LOSSES } from "./losses.ts";
import { isAtif } from "./recognise.ts";
import { agentOf, sessionIn } from "./records.ts";
import { trajectorySpans } from "./session.ts";

/** Trajectories of ATIF, by whatever program: one session a file. What `convert --to atif` made comes back as it was. */
export const atif: ImportFormat = {
  summary: "trajectories in ATIF, the Agent Trajectory Interchange Format, up to 1.8",
  tellsNewsOnly: true,
  what: "a trajectory in ATIF",
  losses: ATIF_LOSSES,
  takes: (name) => name.endsWith(".json"),
  recognise: isAtif,
  async *read(files, report) {
    const countLosses = createLossCounter(ATIF_LOSSES, report);
    for (const file of await filesOfFormat(files, atif, report)) {
      const trajectory = membersOf(jsonOf(await file.text()));
      const own = sessionIn(trajectory);
      if (own !== undefined) {
        // Loads zod, which takes longer than a short import does.
        const { checkSession } = await import("@thoughtflow/schema");
        const [problem] = checkSession(own);
        if (problem !== undefined)
          throw new ImportProblem(
            `${file.name}: extra.thoughtflow was changed: ${problem.message}`,
          );
        yield* recordsFromSession(own);
        continue;
      }
      countLosses(trajectory);
      const { name, version } = agentOf(trajectory);
      const digest = hash("sha256", JSON.stringify(trajectory["steps"])).slice(0, 8);
      const session = createAgentSession({
        source: "atif",
        sessionId:
          textOf(trajectory["session_id"]) ??
          textOf(trajectory["trajectory_id"]) ??
          `atif_${digest}`,
        agentName: name,
        spawning: new Set(listOf(trajectory["steps"]).flatMap(spawningIn)),
        report,
        ...(version !== undefined && { resource: { "service.version": version } }),
      });
      yield* trajectorySpans(session, trajectory, undefined, { order: 0, ms: 0 }, new Set());
      const { notes, final_metrics, continued_trajectory_ref, extra } = trajectory;
      const finalState = { notes, final_metrics, continued_trajectory_ref, extra };
      const says = Object.values(finalState).some((value) => value !== undefined && value !== null);
      yield* session.finish({ finalState: says ? finalState : undefined });
    }
  },
};

/** The tools by whose calls a step names sub-agents. */
function spawningIn(step: unknown): readonly string[] {
  const { tool_calls: calls, observation } = membersOf(step);
  const ids = new Set(
    listOf(membersOf(observation)["results"])
      .map(membersOf)
      .filter(({ subagent_trajectory_ref: refs }) => listOf(refs).length > 0)
      .map(({ source_call_id: id }) => id),
  );
  return listOf(calls)
    .map(membersOf)
    .filter(({ tool_call_id: id }) => ids.has(id))
    .map(({ function_name: name }) => String(name ?? ""));
}
