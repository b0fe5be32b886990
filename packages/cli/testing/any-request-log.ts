/** What stands in a history, whatever the API. */
export type Said =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly answer: Answer }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export interface Answer {
  readonly thought?: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: object }[];
}

export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** How a request ended: `broken` is an answer of which the end didn't come, `untold` one that nobody logged. */
export type Outcome = "answered" | "failed" | "overloaded" | "broken" | "untold";

/** A request, and what is true of it. Requests are named by their numbers. */
export interface AnyRequest {
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly system: string;
  readonly model: string;
  readonly hasTools: boolean;
  readonly maxTokens: number;
  readonly said: readonly Said[];
  /** Of a broken one as far as it came. */
  readonly answer: Answer;
  readonly outcome: Outcome;
  readonly kind: "main" | "side" | "probe";
  /** The first request of its agent. */
  readonly agent: number;
  /** The request whose answer is the last in its history. */
  readonly before: number | undefined;
  /** Of an agent's first request: the one whose answer asked for it, and the tool calls of that answer with its words. */
  readonly spawn: { readonly request: number; readonly callIds: readonly string[] } | undefined;
  /** Of the first after a summary: the request that was answered with that. */
  readonly stretchOf: number | undefined;
  /** The number of the program that sent it, and its agent by the program's own name; the main one has none. */
  readonly program: number;
  readonly agentName: string | undefined;
}

/** What is said in a conversation, as the program has it that leads it. */
interface Talk {
  readonly program: number;
  readonly agentName: string | undefined;
  history: Said[];
  system: string;
  model: string;
  ms: number;
  agent: number | undefined;
  before: number | undefined;
  spawn: AnyRequest["spawn"];
  stretchOf: number | undefined;
}

const START = Date.UTC(2026, 4, 1);
const HELLOS = ["Look at all files, please.", "Mend what fails in the tests."];
const MODELS = ["model-large", "model-small"];
const DEEPEST = 3;
const REFUSED = "The user doesn't want this.";

/** Without what tools gave long ago. */
function cleared(history: readonly Said[]): readonly Said[] {
  const latest = history.findLastIndex(({ role }) => role === "tool");
  return history.map((one, at) => {
    if (one.role !== "tool" || at >= latest - 4) return one;
    return { ...one, results: one.results.map((result) => ({ ...result, text: "[cleared]" })) };
  });
}

/**
 * What several programs asked of models at the same time: each leads a conversation of a few turns, in which tools are called, agents
 * asked for (one below the other, side by side, with the same words), requests fail and are sent again or given up, answers break off, the
 * user goes back to what was said before, all is summed up to go on with that; and beside it they ask for titles, and whether anybody is there.
 *
 * @param random from 0 up to 1
 */
export function anyRequestLog(random: () => number): readonly AnyRequest[] {
  const requests: AnyRequest[] = [];
  const times = new Set<number>();
  let words = 0;
  const often = (share: number): boolean => random() < share;
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  const habit = (share: number): number => (often(0.5) ? share : 0);
  const habits = {
    failures: habit(0.12),
    spawns: habit(0.5),
    forks: habit(0.2),
    summaries: habit(0.15),
    sides: habit(0.5),
    thoughts: habit(0.7),
  };
  const hasShortIds = often(0.2);
  const clears = often(0.2) && !hasShortIds;
  const fresh = (what: string): string => `${what} ${(++words).toString(36)}${upTo(1e9)}`;

  /** A moment of its own for each request. */
  function moment(ms: number): number {
    let at = Math.round(ms);
    while (times.has(at)) at++;
    times.add(at);
    return at;
  }

  function put(talk: Talk, more: Partial<AnyRequest> & Pick<AnyRequest, "answer">): AnyRequest {
    const startMs = moment(talk.ms);
    const number = requests.length;
    const request: AnyRequest = {
      number,
      startMs,
      endMs: startMs + 200 + upTo(5_000),
      system: talk.system,
      model: talk.model,
      hasTools: true,
      maxTokens: 4_096,
      said: clears ? cleared(talk.history) : [...talk.history],
      outcome: "answered",
      kind: "main",
      agent: talk.agent ?? number,
      before: talk.before,
      spawn: talk.agent === undefined ? talk.spawn : undefined,
      stretchOf: talk.agent === undefined ? talk.stretchOf : undefined,
      program: talk.program,
      agentName: talk.agentName,
      ...more,
    };
    requests.push(request);
    return request;
  }

  /** A question of its own, beside what is talked about. */
  function aside(talk: Talk, kind: "side" | "probe", text: string): void {
    const isProbe = kind === "probe";
    const system = isProbe ? "" : "Say in a few words what the user wants.";
    const side = { system, history: [{ role: "user", text }] as Said[], agent: undefined };
    const none = { before: undefined, spawn: undefined, stretchOf: undefined };
    const answer = { text: isProbe ? "I" : fresh("A title"), calls: [] };
    const isAlone = !isProbe && !HELLOS.includes(text);
    const outcome = isAlone && often(habits.failures) ? "failed" : "answered";
    put(
      { ...talk, ...side, ...none },
      { kind, hasTools: false, maxTokens: isProbe ? 1 : 512, answer, outcome },
    );
    talk.ms += often(0.5) ? 10 : 6_000;
  }

  function asked(talk: Talk, more: Partial<AnyRequest> & Pick<AnyRequest, "answer">): AnyRequest {
    const request = put(talk, more);
    talk.agent ??= request.number;
    talk.ms = request.endMs + upTo(500);
    return request;
  }

  /**
   * Asks until there is an answer. Where it broke off and the user stopped it, what came is kept.
   *
   * @param isAlone Whether nobody else may have asked the same
   */
  function ask(talk: Talk, answer: Answer, isAlone: boolean): boolean {
    while (often(habits.failures) && (isAlone || talk.agent !== undefined)) {
      const outcome = oneOf<Outcome>(["failed", "overloaded", "broken", "untold"]);
      const part = { text: answer.text === "" ? "" : fresh("I begin with"), calls: [] };
      const broken = asked(talk, { answer: part, outcome });
      if (outcome === "broken" && part.text !== "" && often(0.3)) {
        const kept = { ...part, text: part.text.slice(0, often(0.5) ? 20 : undefined) };
        talk.history.push({ role: "assistant", answer: kept });
        talk.history.push({ role: "user", text: "[Request interrupted by user]" });
        if (kept.text === part.text) talk.before = broken.number;
        return false;
      }
      if (talk.before !== undefined && often(0.2)) return false;
    }
    const { number } = asked(talk, { answer });
    talk.history.push({ role: "assistant", answer });
    talk.before = number;
    return true;
  }

  function look(): Answer["calls"][number] {
    return { id: "", name: "look", args: { path: fresh("/src") } };
  }

  /** Some servers count their calls anew in each answer. */
  function withIds(calls: Answer["calls"]): Answer["calls"] {
    return calls.map((call, n) => ({
      ...call,
      id: hasShortIds ? `call_${n}` : fresh("call").replace(" ", "_").padEnd(20, "0"),
    }));
  }

  /**
   * What tools are asked for: now and then agents, several with the same words among them.
   *
   * @param again Words for an agent that was not begun, or those that somebody else said
   */
  function calls(depth: number, again: string | undefined): Answer["calls"] {
    const name = oneOf(["Task", "ask_agent"]);
    const task = (prompt: string) => ({ id: "", name, args: { description: "Count", prompt } });
    if (again !== undefined && often(0.5)) return [task(again)];
    if (depth >= DEEPEST || !often(habits.spawns)) return Array.from({ length: upTo(2) }, look);
    const prompt = fresh("Count what there is in");
    const tasks = Array.from({ length: upTo(3) }, () =>
      task(often(0.2) ? prompt : fresh("Count\n  all of")),
    );
    return often(0.3) ? [look(), task(prompt), ...tasks] : [task(prompt), ...tasks];
  }

  /** What tools give, the agents among them at once. */
  function results(talk: Talk, given: Answer["calls"], depth: number): ToolResult[] {
    const begin = talk.ms;
    const request = talk.before ?? 0;
    return given.map(({ id, name, args }): ToolResult => {
      if (name === "look") return { id, text: fresh("Seen:"), isError: often(0.1) };
      if (often(0.15)) return { id, text: REFUSED, isError: true };
      const { prompt } = args as { readonly prompt: string };
      const same = given.filter((one) => (one.args as { prompt?: string }).prompt === prompt);
      const child: Talk = {
        ...{ program: talk.program, agentName: fresh("agent").replace(" ", "-") },
        ...{ history: [], system: fresh("You count. The date is"), model: oneOf(MODELS) },
        ...{ ms: begin + upTo(300), agent: undefined, before: undefined, stretchOf: undefined },
        spawn: { request, callIds: same.map((one) => one.id) },
      };
      const told = often(0.3) ? prompt.replace(/\s+/g, " ") : prompt;
      turn(child, told, depth + 1, same.length === 1);
      talk.ms = Math.max(talk.ms, child.ms);
      return { id, text: fresh("Counted:"), isError: false };
    });
  }

  /** Until a model asks for no more tools. */
  function turn(talk: Talk, said: string, depth: number, isAlone: boolean): void {
    talk.history.push({ role: "user", text: said });
    let again = depth === 0 && isAlone ? said : undefined;
    for (let left = upTo(4); ; left--) {
      const answer: Answer = {
        ...(often(habits.thoughts) && { thought: fresh("Let me see") }),
        text: left === 1 || often(0.5) ? fresh("I see what is") : "",
        calls: left === 1 ? [] : withIds(calls(depth, again)),
      };
      if (!ask(talk, answer, isAlone)) return;
      if (answer.calls.length === 0) return;
      const given = results(talk, answer.calls, depth);
      const refused = answer.calls.find(({ id }) =>
        given.some((one) => one.id === id && one.text === REFUSED),
      );
      again = refused === undefined ? undefined : (refused.args as { prompt: string }).prompt;
      talk.history.push({ role: "tool", results: often(0.2) ? given.toReversed() : given });
    }
  }

  /** All that was said is summed up, and another conversation begins with that. */
  function sumUp(talk: Talk): void {
    const { system } = talk;
    talk.system = "You sum up conversations.";
    talk.history.push({ role: "user", text: "Sum up what was said so far in detail." });
    const text = Array.from({ length: 12 }, () => fresh("We have looked at")).join(". ");
    const isDone = ask(talk, { text: `<summary>${text}</summary>`, calls: [] }, true);
    talk.system = system;
    if (!isDone) return;
    talk.stretchOf = talk.before;
    talk.history = [{ role: "user", text: `This goes on from an earlier talk:\n${text}` }];
    talk.agent = undefined;
    talk.before = undefined;
    talk.spawn = undefined;
  }

  const programs = upTo(3);
  for (let program = 0; program < programs; program++) {
    const talk: Talk = {
      ...{
        program,
        agentName: undefined,
        history: [],
        model: oneOf(MODELS),
        ms: START + upTo(9e4),
      },
      ...{ agent: undefined, before: undefined, spawn: undefined, stretchOf: undefined },
      system: `You are an agent.\nToday is the ${upTo(9)}th.`,
    };
    const points: Pick<Talk, "history" | "before" | "agent">[] = [];
    const turns = upTo(5);
    for (let n = 0; n < turns; n++) {
      if (often(habits.sides / 2)) aside(talk, "probe", "quota");
      const isHello = n === 0 && often(0.5);
      const said = isHello ? oneOf(HELLOS) : fresh("Please mend");
      if (often(habits.sides)) aside(talk, "side", said);
      const point = often(habits.forks) ? oneOf(points) : undefined;
      if (point !== undefined) Object.assign(talk, { ...point, history: [...point.history] });
      turn(talk, said, 0, !isHello);
      const { history, before, agent } = talk;
      if (before !== undefined) points.push({ history: [...history], before, agent });
      if (often(0.2)) talk.model = oneOf(MODELS);
      if (often(0.3)) talk.system = `You are an agent.\nToday is the ${upTo(9)}th.`;
      if (before !== undefined && often(habits.summaries)) {
        sumUp(talk);
        points.length = 0;
      }
    }
  }
  return requests;
}
