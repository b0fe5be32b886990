import type { ProgramSums } from "../conversation/untold-tokens.ts";
import { countOf, isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** The tool of Pi's own extension that starts sub-agents. */
export const SPAWNING: ReadonlySet<string> = new Set(["subagent"]);

/** What it puts before what it asks a sub-agent. */
export const TASK = "Task: ";

/** What a call of it asks: one task, or several, at once or one after the other. */
export function tasksIn({ task, tasks, chain }: PlainObject): readonly string[] {
  const several = [...listOf(tasks), ...listOf(chain)].map((one) => membersOf(one)["task"]);
  return [task, ...several].flatMap((one) => textOf(one) ?? []);
}

/** A sub-agent, as the result of its call tells of it: it ran as a program, mostly without a file. */
export interface ToldAgent {
  readonly name: string | undefined;
  /** What it was told, said and given, in order; none where the extension leaves them out. */
  readonly messages: readonly PlainObject[];
  /** What all of its calls took. */
  readonly sums: ProgramSums;
  /** The path of its session, where it has one. */
  readonly file: string | undefined;
}

function resultsIn({ details }: PlainObject): readonly PlainObject[] {
  return listOf(membersOf(details)["results"])
    .map(membersOf)
    .filter(({ task }) => typeof task === "string");
}

/** What the programs of sub-agents printed beside their messages, and why they failed, also of those that came to no message. */
export function printedIn(message: PlainObject): readonly object[] {
  return resultsIn(message).flatMap(({ agent, stderr, errorMessage }) => {
    const [printed, error] = [textOf(stderr), textOf(errorMessage)];
    if (printed === undefined && error === undefined) return [];
    return [{ agent, ...(printed && { stderr: printed }), ...(error && { error }) }];
  });
}

/** The sub-agents that a tool's result tells of. */
export function agentsIn(message: PlainObject): readonly ToldAgent[] {
  return resultsIn(message)
    .map(({ agent, messages, usage, model, sessionFile }) => ({
      name: textOf(agent),
      messages: listOf(messages).filter(isObject),
      sums: sumsOf(membersOf(usage), textOf(model)),
      file: textOf(sessionFile),
    }))
    .filter(({ messages, sums }) => messages.length > 0 || countOf(sums.output) > 0);
}

function sumsOf(usage: PlainObject, model: string | undefined): ProgramSums {
  const { input, output, cacheRead: read, cacheWrite: written, cost } = usage;
  return {
    input: countOf(input) + countOf(read) + countOf(written),
    output: countOf(output),
    read: countOf(read),
    cost,
    model,
  };
}
