import { isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** The tool of Pi's own extension that starts sub-agents. */
export const SPAWNING: ReadonlySet<string> = new Set(["subagent"]);

/** What a call of it asks: one task, or several, at once or one after the other. */
export function tasksIn({ task, tasks, chain }: PlainObject): readonly string[] {
  const several = [...listOf(tasks), ...listOf(chain)].map((one) => membersOf(one)["task"]);
  return [task, ...several].flatMap((one) => textOf(one) ?? []);
}

/** A sub-agent, as the result of its call tells of it: it ran as a program without a file. */
export interface ToldAgent {
  readonly name: string | undefined;
  /** What it was told, said and given, in order. */
  readonly messages: readonly PlainObject[];
}

/** The sub-agents that a tool's result tells of. */
export function agentsIn({ details }: PlainObject): readonly ToldAgent[] {
  return listOf(membersOf(details)["results"])
    .map(membersOf)
    .filter(({ task, messages }) => typeof task === "string" && listOf(messages).length > 0)
    .map(({ agent, messages }) => ({
      name: textOf(agent),
      messages: listOf(messages).filter(isObject),
    }));
}
