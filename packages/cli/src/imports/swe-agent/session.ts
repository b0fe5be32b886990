import type { SpanRecord } from "@thoughtflow/schema";
import { type AgentSession, createAgentSession } from "../conversation/agent-session.ts";
import type { ImportReport } from "../import-format.ts";
import type { ImportedTime } from "../imported-span.ts";
import { membersOf, type PlainObject } from "../plain-values.ts";
import {
  attemptsOf,
  durationOf,
  exitStatusOf,
  hasSucceeded,
  historyOf,
  modelOf,
  stepsOf,
} from "./records.ts";
import { titleOfTask } from "./title-of-task.ts";

/**
 * The one session of a trajectory, which is called after its task. The format has no times: it begins at 0 and lasts as long as its actions took.
 *
 * @param name What it is called where no task is told.
 */
export function* sessionOfTrajectory(
  document: PlainObject,
  sessionId: string,
  name: string,
  report: ImportReport,
): Generator<SpanRecord> {
  const session = createAgentSession({
    source: "swe-agent",
    sessionId,
    agentName: "SWE-agent",
    report,
  });
  let last = { ms: 0, order: 0 };
  for (const attempt of attemptsOf(document)) last = yield* toldAttempt(session, attempt, last);
  session.title(titleOfTask(taskOf(document)) ?? name);
  const { model_stats: stats } = membersOf(document["info"]);
  const { tokens_sent: input, tokens_received: output, instance_cost: cost } = membersOf(stats);
  yield* session.counted({ input, output, cost, model: modelOf(document) });
  yield* session.finish({
    status: hasSucceeded(exitStatusOf(document)) ? "completed" : "error",
    finalState: finalStateOf(document),
  });
}

/** What the agent was told first, but for what was shown to it. */
function taskOf(document: PlainObject): string {
  const [first = document] = attemptsOf(document);
  const told = historyOf(first).find(({ kind }) => kind === "seen");
  return told?.kind === "seen" ? told.text : "";
}

/** Tells one attempt at the task, after another one; gives its end. */
function* toldAttempt(
  session: AgentSession,
  document: PlainObject,
  before: ImportedTime,
): Generator<SpanRecord, ImportedTime> {
  const model = modelOf(document);
  const steps = stepsOf(document);
  const history = historyOf(document);
  let instructions: string | undefined;
  let { ms, order } = before;
  let acted = 0;
  let open: readonly string[] = [];
  let isNew = before.order > 0;

  for (const message of history) {
    order++;
    const here = { key: `message-${order}`, at: { ms, order } };
    if (message.kind === "system") instructions = message.text;
    else if (message.kind === "exited") {
      yield* late();
      yield* session.noted("exit", { text: message.text }, here.at);
      acted++;
    } else if (message.kind === "acted") {
      // Calls that nobody answered were answered by the list of actions, if at all.
      yield* late();
      yield* session.answered({
        ...here,
        parts: message.parts,
        model,
        setting: instructions === undefined ? undefined : { instructions },
      });
      instructions = undefined;
      open = message.callIds;
      acted++;
    } else {
      const [callId = message.callId] = message.callId === undefined ? open : [message.callId];
      if (callId === undefined || (message.callId === undefined && open.length === 0)) {
        yield* session.said({
          ...here,
          parts: message.text === "" ? [] : [{ type: "text", content: message.text }],
          isMeta: message.kind === "demonstration",
          ...(isNew && { after: "" }),
        });
        isNew = false;
      } else {
        const took = durationOf(steps[acted - 1]);
        const start = { ms, order };
        ms += took;
        yield* session.gave({
          key: here.key,
          at: { ms, order },
          start,
          callId,
          result: message.text,
        });
        open = open.filter((one) => one !== callId);
      }
    }
  }
  order++;
  yield* late();
  return { ms, order };

  function* late(): Generator<SpanRecord> {
    const step = steps[acted - 1];
    if (step === undefined || typeof step["observation"] !== "string") return;
    for (const callId of open) {
      const start = { ms, order };
      ms += durationOf(step);
      const result = step["observation"];
      yield* session.gave({
        key: `late-${order}-${callId}`,
        at: { ms, order },
        start,
        callId,
        result,
      });
    }
    open = [];
  }
}

function finalStateOf({ info, environment }: PlainObject): object | undefined {
  const { exit_status, submission, model_stats } = membersOf(info);
  const state = { exit_status, submission, model_stats, environment };
  return Object.values(state).every((value) => value === undefined) ? undefined : state;
}
