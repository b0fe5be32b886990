import { type PlainObject, textOf } from "../plain-values.ts";

/** Agents of a team write to each other as people do, but for this around what they say. */
const MESSAGE =
  /^\s*(?:Another Claude session sent a message[^\n]*:\s*)?<teammate-message\b[^>]*>([\s\S]*?)<\/teammate-message>/;

/** Whether an agent of the team said it, and no person. */
export function isOfTeammate(text: string): boolean {
  return MESSAGE.test(text);
}

/** What a teammate was told first; other texts as they are. */
export function toldTeammate(text: string): string {
  return MESSAGE.exec(text)?.[1] ?? text;
}

/** The id of a member of a team, as the result of the call tells it that asked for it: `reviewer@team`. */
export function memberIn({ name, teamName }: PlainObject): string | undefined {
  const [own, team] = [textOf(name), textOf(teamName)];
  return own === undefined || team === undefined ? undefined : `${own}@${team}`;
}
