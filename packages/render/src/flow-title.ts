import type { Run, Session, Step, Totals } from "@thoughtflow/schema";
import { snippet } from "./clean-text.ts";
import { counted, formatCost, formatDuration, formatUsage } from "./figures.ts";
import { agentNameIn, isTyped, messageWords, OPERATION } from "./step-summary.ts";

/** A session's title: its own, else what the user said first, else its id. At most 80 characters. */
export function sessionTitle(session: Session): string {
  const said =
    session.title ?? firstWords(session.conversations.flatMap((run) => run.steps.slice(0, 20)));
  return snippet(said ?? session.session_id, 80) || "session";
}

/** What stands for a whole run where there is little room: what its user said, which tells runs of one name apart; else its name or id. */
export function runSubject(run: Run, limit: number): string {
  return snippet(firstWords(run.steps) ?? tellingName(run) ?? run.conversation_id, limit);
}

/** What the user of a run said first, at most `limit` characters; `undefined` where nobody said anything. */
export function runWords({ steps }: Run, limit: number): string | undefined {
  const words = firstWords(steps);
  return words === undefined ? undefined : snippet(words, limit);
}

/** The name of a run and what its user said, as far as they are known, else its id: runs of an agent have one name. */
export function runHeading(run: Run, limit: number): string {
  const [name, words] = [tellingName(run), runWords(run, limit)];
  // What logs of requests hold is called after what was said.
  const isSaid =
    name !== undefined && words?.startsWith(snippet(name.replace(/…$/, ""), limit)) === true;
  const told = [isSaid ? undefined : name, words].filter((one) => one !== undefined);
  return snippet(told.length === 0 ? run.conversation_id : told.join(" · "), limit);
}

/** A span of an agent without a name has that of its operation. */
function tellingName({ name }: Run): string | undefined {
  const shown = name === undefined ? "" : agentNameIn(name);
  return shown === OPERATION || shown === "" ? undefined : shown;
}

/** Status, channel and duration of a run, as far as they are known: 0 is what formats without times have. */
export function runFacts(run: Run): readonly string[] {
  const { status, channel, duration_ms: duration } = run;
  return present([
    snippet(status ?? "", 20),
    snippet(channel ?? "", 20),
    duration ? formatDuration(duration) : "",
  ]);
}

/** Status, channel, duration, counts and tokens of a run, as far as they are known. */
export function runFigures(run: Run): readonly string[] {
  return [...runFacts(run), ...present(totalFigures(totalsOf([run], run.totals)))];
}

/** Status, duration, counts and tokens of a session, as far as they are known. */
export function sessionFigures(session: Session): readonly string[] {
  const { started_at: start, ended_at: end, conversations: runs } = session;
  const last = end ?? lastMomentOf(runs);
  const duration =
    start === undefined || last === undefined ? Number.NaN : Date.parse(last) - Date.parse(start);
  const took = duration > 0 ? formatDuration(duration) : "";
  return present([
    snippet(session.status ?? "", 20),
    took === "" || end !== undefined ? took : `at least ${took}`,
    counted(session.totals?.runs ?? runs.length, "run"),
    ...totalFigures(totalsOf(runs, session.totals)),
  ]);
}

/** When the last step began or ended, as far as that is known: what is not over has no end. ISO times compare as texts. */
function lastMomentOf(runs: readonly Run[]): string | undefined {
  let last: string | undefined;
  for (const { steps } of runs)
    for (const { started_at: start, ended_at: end } of steps)
      for (const moment of [start, end])
        if (moment !== undefined && (last === undefined || moment > last)) last = moment;
  return last;
}

/** The totals that the document holds, else the same counted here (older and foreign documents have none). */
export function totalsOf(runs: readonly Run[], known: Totals | undefined): Totals {
  if (known !== undefined) return known;
  const totals = { steps: 0, model_calls: 0, tool_calls: 0, errors: 0 };
  const tokens: { input_tokens?: number; output_tokens?: number } = {};
  for (const step of runs.flatMap((run) => run.steps)) {
    totals.steps += 1;
    if (step.label === "assistant_call") totals.model_calls += 1;
    if (step.label === "tool_call") totals.tool_calls += 1;
    if (step.status === "error" || step.error || step.label === "tool_error") totals.errors += 1;
    for (const key of ["input_tokens", "output_tokens"] as const) {
      const count = step.usage?.[key];
      if (count !== undefined) tokens[key] = (tokens[key] ?? 0) + count;
    }
  }
  return { ...totals, ...tokens };
}

function totalFigures(totals: Totals): readonly string[] {
  return [
    counted(totals.steps, "step"),
    totals.model_calls === 0 ? "" : counted(totals.model_calls, "model call"),
    totals.tool_calls === 0 ? "" : counted(totals.tool_calls, "tool call"),
    totals.thoughts === undefined ? "" : counted(totals.thoughts, "thought"),
    totals.branches === undefined ? "" : counted(totals.branches, "branch", "branches"),
    totals.errors === 0 ? "" : counted(totals.errors, "error"),
    formatUsage(totals),
    formatCost(totals.cost),
  ];
}

/** Tells of one step after the other whether an agent did it, or was told it, that another one asked. */
export function createAskedAgents(): (step: Step) => boolean {
  const asked = new Set<string>();
  return ({ label, agent_id: id, edges }) => {
    if (id === undefined) return false;
    if (label === "agent" && edges?.length) asked.add(id);
    return asked.has(id);
  };
}

/** What was typed first, to no agent that another one asked; what a program alone wrote only where nothing was. */
function firstWords(steps: readonly Step[]): string | undefined {
  let noted: string | undefined;
  const isOfAsked = createAskedAgents();
  for (const step of steps) {
    if (isOfAsked(step)) continue;
    const said = step.label === "user_message" ? messageWords(step) : undefined;
    if (said !== undefined && isTyped(step)) return said;
    noted ||= said;
  }
  return noted || undefined;
}

function present(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== "");
}
