import { type PlainObject, textOf } from "../plain-values.ts";

/** What one agent said to another, as it stands where the other is given it. */
export interface ToldWords {
  /** The name or the id of the one that said it. */
  readonly from: string | undefined;
  readonly words: string;
}

const ATTRIBUTES = String.raw`((?:\s+[\w-]+="[^"]*")*)\s*`;
/** Agents write to each other as people do, but for this around what they say; several may stand in one record. */
const BEGINNINGS = new RegExp(
  `<(teammate-message|agent-message|cross-session-message)${ATTRIBUTES}>`,
  "g",
);
const OPENING =
  /^\s*(?:Another Claude session sent a message[^\n]*:\s*)?<(?:teammate|agent|cross-session)-message\b/;
/** What Claude Code puts before a sub-agent's report. */
const HAND_BACK = /^\s*\[Subagent hand-back\][\s\S]*?The report follows:\n/;
/** How a sub-agent is told what the one says that asked for it; the program may say below what to do with it. */
const COORDINATOR =
  /^\s*(?:<system-reminder>\s*)?The coordinator sent a message[^\n]*:\n([\s\S]*?)(?:\n\nAddress this before completing[\s\S]*)?$/;

/** Whether an agent said it, and no person. */
export function isOfTeammate(text: string): boolean {
  return OPENING.test(text) || COORDINATOR.test(text);
}

/** What agents said in a record; none where a person said it. */
export function wordsOfAgents(text: string): readonly ToldWords[] {
  const coordinated = COORDINATOR.exec(text)?.[1];
  if (coordinated !== undefined) return [{ from: undefined, words: coordinated }];
  if (!OPENING.test(text)) return [];
  return [...messagesIn(text)];
}

/** Looks for each kind of end once where there is none: a text may begin as many as it likes. */
function* messagesIn(text: string): Generator<ToldWords> {
  const endless = new Set<string>();
  let behind = 0;
  for (const { 0: beginning, 1: kind = "", 2: attributes = "", index } of text.matchAll(
    BEGINNINGS,
  )) {
    if (index < behind || endless.has(kind)) continue;
    const from = index + beginning.length;
    const end = text.indexOf(`</${kind}>`, from);
    if (end < 0) {
      endless.add(kind);
      continue;
    }
    behind = end;
    yield {
      from: attributeIn(attributes, "teammate_id") ?? attributeIn(attributes, "from"),
      words: text.slice(from, end).replace(HAND_BACK, ""),
    };
  }
}

function attributeIn(attributes: string, name: string): string | undefined {
  return new RegExp(String.raw`\s${name}="([^"]+)"`).exec(attributes)?.[1];
}

/** A message as the program gives it to another member of a team. */
export function teammateMessage(from: string, words: string): string {
  return `<teammate-message teammate_id="${from}">\n${words}\n</teammate-message>`;
}

/** What a teammate was told first; other texts as they are. */
export function toldTeammate(text: string): string {
  return wordsOfAgents(text)[0]?.words ?? text;
}

/** The id of a member of a team, as the result of the call tells it that asked for it: `reviewer@team`. */
export function memberIn({ name, teamName }: PlainObject): string | undefined {
  const [own, team] = [textOf(name), textOf(teamName)];
  return own === undefined || team === undefined ? undefined : `${own}@${team}`;
}

/** A member of a team that works in a session of its own. */
export interface Teammate {
  readonly name: string;
  readonly team: string;
}

/** What the one is called that asks for the others. */
export const LEAD = "team-lead";

/** Whose record it is, where it says so; `undefined` of the one that asks for the others. */
export function teammateIn({ agentName, teamName }: PlainObject): Teammate | undefined {
  const [name, team] = [textOf(agentName), textOf(teamName)];
  return name === undefined || team === undefined || name === LEAD ? undefined : { name, team };
}
