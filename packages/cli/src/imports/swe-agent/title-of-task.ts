import { titleOfWords } from "../conversation/title-of-words.ts";

/** Behind that, or in tags of that name, programs put the task itself into their own words. */
const TASK =
  /^(?:ISSUE|TASK):[ \t]*\n|<(?:pr_description|problem_statement|task|issue)>(?:\s*Consider the following PR description:)?|The description is:[ \t]*\n|Please solve this (?:issue|task):/m;
/** What stands there in place of a task. */
const UNTOLD = /^No description provided$/;

/** The first line of the task in what a trajectory's agent was told; else what its first sentence says. `undefined` where it says nothing. */
export function titleOfTask(told: string): string | undefined {
  const found = TASK.exec(told);
  const task = found === null ? told : told.slice(found.index + found[0].length);
  const lines = task.split("\n").map((line) => line.trim());
  const first = lines.find((line) => line !== "" && !/^<\/?[\w-]+>$/.test(line));
  if (first === undefined || UNTOLD.test(first)) return undefined;
  return titleOfWords(found === null ? told : first);
}
