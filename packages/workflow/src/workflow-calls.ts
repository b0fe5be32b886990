import type { Run, Session, Step } from "@thoughtflow/schema";

/** A request to a model, with what it goes on from and what was new in it. */
export interface WorkflowCall {
  readonly id: string;
  readonly step: Step;
  readonly run: Run;
  readonly session: Session;
  readonly agentId: string;
  /** The call whose history and answer come before. */
  readonly before: WorkflowCall | undefined;
  /** What it was given beyond that. */
  readonly given: readonly Step[];
  /** Tool calls and answers. */
  readonly output: readonly Step[];
  /** Instructions and tool definitions. */
  readonly snapshots: readonly Step[];
}

/** The model calls of a session in the order of their steps. Where spans name no agents, a session's calls are one agent's. */
export function callsOf(session: Session): readonly WorkflowCall[] {
  const places = new Map<string, Step>();
  const outputs = new Map<string, Step[]>();
  for (const run of session.conversations) {
    for (const step of run.steps) {
      for (const name of [step.step_id, ...(step.aliases ?? [])]) {
        places.set(`${run.conversation_id}/${name}`, step);
        if (!places.has(name)) places.set(name, step);
      }
      const [maker] = (step.edges ?? []).filter(
        ({ type }) =>
          (type === "requests" && step.label === "tool_call") ||
          (type === "returns" && step.label === "assistant_message"),
      );
      if (maker === undefined) continue;
      const key = maker.to.includes("/") ? maker.to : `${run.conversation_id}/${maker.to}`;
      const made = outputs.get(key);
      if (made === undefined) outputs.set(key, [step]);
      else made.push(step);
    }
  }
  const find = (run: Run, name: string): Step | undefined =>
    places.get(`${run.conversation_id}/${name}`) ?? places.get(name);

  const calls = new Map<Step, WorkflowCall>();
  const fallback = `agent_${session.session_id}`;
  for (const run of session.conversations) {
    for (const step of run.steps) {
      if (step.label !== "assistant_call") continue;
      // A program that only says what its calls rest on says by that what they were given.
      const names = namesIn(step.payload_started?.["input"] ?? [step.depends_on ?? []].flat());
      const input = names.flatMap((name) => find(run, name) ?? []);
      const before = input.map((one) => calls.get(one)).find((call) => call !== undefined);
      calls.set(step, {
        id: step.step_id,
        step,
        run,
        session,
        agentId: step.agent_id ?? fallback,
        before,
        given: input.filter(({ label }) => GIVEN.has(label)),
        output: outputs.get(`${run.conversation_id}/${step.step_id}`) ?? [],
        snapshots: (step.edges ?? [])
          .map(({ to }) => find(run, to))
          .filter((one) => one?.label.endsWith(".snapshot") === true)
          .filter((one) => one !== undefined),
      });
    }
  }
  return [...calls.values()];
}

/** The message that a call answers: the last of what is new in it, else of all that came before. */
export function lastMessageOf({ given, before }: WorkflowCall): Step | undefined {
  const own = given.at(-1);
  if (own !== undefined) return own;
  for (let call = before; call !== undefined; call = call.before) {
    const last = call.output.at(-1) ?? call.given.at(-1);
    if (last !== undefined) return last;
  }
  return undefined;
}

/** What a model is given as a message; what it said itself comes with the call before. */
const GIVEN: ReadonlySet<string> = new Set([
  "user_message",
  "assistant_message",
  "tool_output",
  "tool_error",
]);

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
