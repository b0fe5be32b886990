import { hashOfWords } from "../conversation/hash-of-words.ts";
import type { ImportedEdge } from "../imported-span.ts";
import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { memberIn, type Teammate } from "./teammates.ts";

/** A tool call that asks for a member of a team. */
export interface TeamTask {
  readonly toolUseId: string;
  readonly sessionId: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly input: unknown;
  readonly ms: number;
}

/** The members of teams that work in sessions of their own, and the calls that asked for them. */
export interface Teams {
  /** Takes calls that ask for a member of a team with such sessions. */
  asked(task: TeamTask): void;
  /** The result of a call names the member: `reviewer@team`. Gives whether that has a session of its own. */
  joined(sessionId: string, toolUseId: string, member: string): boolean;
  /** The sessions of a member, each once: a name may be asked for again. */
  next(member: string): TeammateSession | undefined;
  /** The call that asked for the one that works in a session: that of its id, else the one in its team that told it the same. */
  spawnOf(teammate: Teammate, prompt: string, ms: number): ImportedEdge | undefined;
}

/** The session of a member of a team. */
export interface TeammateSession extends Teammate {
  readonly sessionId: string;
}

interface Asked extends Omit<TeamTask, "input"> {
  readonly team: string;
  readonly prompt: string;
  member: string | undefined;
}

const SLACK_MS = 5_000;
/** Of the same words in the same team. */
const CONFIDENCE_PROMPT = 0.95;

/** @param teammates In the order in which they began. */
export function createTeams(teammates: readonly TeammateSession[]): Teams {
  const teams = new Set(teammates.map(({ team }) => team));
  /** Those of each member that nobody has asked for yet. */
  const waiting = new Map<string, TeammateSession[]>(teammates.map((one) => [idOf(one), []]));
  for (const one of teammates) waiting.get(idOf(one))?.push(one);
  const tasks: Asked[] = [];

  return {
    asked({ input, ...call }) {
      const { team_name, prompt } = membersOf(input);
      const team = textOf(team_name);
      if (team === undefined || !teams.has(team)) return;
      tasks.push({ ...call, team, prompt: hashOfWords(textOf(prompt) ?? ""), member: undefined });
    },
    joined(sessionId, toolUseId, member) {
      const task = tasks.findLast(
        (one) => one.sessionId === sessionId && one.toolUseId === toolUseId,
      );
      if (task !== undefined) task.member = member;
      return waiting.has(member);
    },
    next: (member) => waiting.get(member)?.shift(),
    spawnOf(teammate, prompt, ms) {
      const id = idOf(teammate);
      const key = hashOfWords(prompt);
      const before = tasks.filter(
        (task) => task.team === teammate.team && task.ms <= ms + SLACK_MS,
      );
      const named = before.filter(({ member }) => member === id);
      const told = before.filter((task) => task.member === undefined && task.prompt === key);
      const asking = named.filter((task) => task.prompt === key);
      const fitting = [asking, named, told].find(({ length }) => length > 0);
      const found = fitting?.at(-1);
      if (fitting === undefined || found === undefined) return undefined;
      const to = `${found.traceId}/s_${found.spanId}`;
      if (fitting !== told && fitting.length === 1)
        return { to, type: "subagent_spawn", origin: "observed" };
      const confidence = (fitting === told ? CONFIDENCE_PROMPT : 1) / fitting.length;
      return { to, type: "subagent_spawn", origin: "inferred", confidence };
    },
  };
}

function idOf({ name, team }: Teammate): string {
  return memberIn({ name, teamName: team } satisfies PlainObject) ?? name;
}
