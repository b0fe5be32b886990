import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { membersOf, type PlainObject, textOf, valueOrText } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";
import type { AgentFile } from "./agent-conversations.ts";
import { isKnownRecord } from "./losses.ts";
import { promptOf, readTranscriptLine, type TranscriptLine } from "./records.ts";
import { arrayIn, beginsArray } from "./stream-files.ts";
import { memberIn, type Teammate, teammateIn } from "./teammates.ts";

/** What the first records of a file tell. */
export interface Opening {
  readonly file: SourceFile;
  readonly sessionId: string;
  readonly ms: number;
  /** Of a sub-agent's file. */
  readonly agent: AgentFile | undefined;
  readonly isStreamed: boolean;
  /** The member of a team that works in the session, where it is no member that asks for others. */
  readonly teammate: Teammate | undefined;
  readonly summaries: readonly Summary[];
  /** How many lines were read for it. */
  readonly lines: number;
}

/** Of a sub-agent's file. */
export type AgentOpening = Opening & { readonly agent: AgentFile };

/** What Claude Code calls a session, at a record of it that is perhaps in another file. */
export interface Summary {
  readonly leaf: string;
  readonly text: string;
  readonly order: number;
}

/** Whether it is of a sub-agent's file. */
export function isOfAgent(opening: Opening): opening is AgentOpening {
  return opening.agent !== undefined;
}

/** The summary that a record is. */
export function summaryIn({ type, record, number }: TranscriptLine): Summary | undefined {
  if (type !== "summary") return undefined;
  const leaf = textOf(record["leafUuid"]);
  const text = textOf(record["summary"]);
  return leaf === undefined || text === undefined ? undefined : { leaf, text, order: number };
}

const FIRST_LINES = 50;
/**
 * Of a stream: before 2.1.330 only what tools gave has a time, and what streams in pieces comes before that. And as long as no line
 * is Claude Code's.
 */
const MORE_FIRST_LINES = 2_000;

/** One file after the other: a directory may hold more than can be open at once. */
export async function openingsOf(
  files: readonly SourceFile[],
  withoutRecords: (file: SourceFile) => void = () => {},
): Promise<readonly Opening[]> {
  const openings: Opening[] = [];
  for (const file of files) {
    const opening = await openingOf(file);
    if (opening === undefined) withoutRecords(file);
    else openings.push(opening);
  }
  return openings;
}

/** `undefined` where no record is in it. */
export async function openingOf(file: SourceFile): Promise<Opening | undefined> {
  const summaries: Summary[] = [];
  let records = 0;
  let lines = 0;
  let first: TranscriptLine | undefined;
  let any: TranscriptLine | undefined;
  let time: number | undefined;
  let teammate: Teammate | undefined;
  for await (const source of file.lines()) {
    const isMore = records === 0 || first?.isStreamed;
    const most = isMore ? MORE_FIRST_LINES : FIRST_LINES;
    // What has no time that can be read is no older than what follows.
    if (source.number > most && (first === undefined || time !== undefined)) break;
    const array = lines === 0 && beginsArray(source) ? await arrayIn(file) : undefined;
    if (array !== undefined) return openingOf(array);
    lines = source.number;
    const line = readTranscriptLine(source);
    if ("problem" in line) continue;
    // Other programs' lines may have a type, too.
    if (line.sessionId !== undefined || isKnownRecord(line.record)) records++;
    const summary = summaryIn(line);
    if (summary !== undefined) summaries.push(summary);
    any ??= line;
    teammate ??= teammateIn(line.record);
    first ??= line.sessionId === undefined ? undefined : line;
    // What comes before it tells the program's state: a fork tells its own time so, before what it copied.
    time ??= line.time;
    if (first !== undefined && time !== undefined) break;
  }
  const line = first ?? any;
  if (records === 0 || line === undefined) return undefined;
  const own = basename(file.name).replace(/\.jsonl$/, "");
  const ms = time ?? 0;
  const { isStreamed } = line;
  const isAgent =
    isAgentFile(file.name) || (line.isSidechain && line.agentId !== undefined && !isStreamed);
  const agent = isAgent && {
    agentId: line.agentId ?? own.replace(/^agent-/, ""),
    ...(await notedBeside(file)),
    group: /\/workflows\/([^/]+)\/[^/]+$/.exec(file.name.replaceAll("\\", "/"))?.[1],
    prompt: promptOf(line),
    ms,
  };
  // Agents of a workflow have sessions of their own below that of the workflow.
  const sessionId = (line.sessionId ?? own).replace(/#agent-.*$/, "");
  return {
    file,
    sessionId,
    ms,
    agent: agent === false ? undefined : agent,
    isStreamed,
    teammate: agent === false ? teammate : undefined,
    summaries,
    lines,
  };
}

/** What versions from 2.1 on note of a sub-agent beside its file, in `agent-<id>.meta.json`: which call asked for it, and whose. */
async function notedBeside({
  path,
}: SourceFile): Promise<Pick<AgentFile, "toolUseId" | "above" | "member">> {
  const noted = path?.replace(/\.jsonl(\.\w+)?$/, ".meta.json");
  const text = noted === undefined ? "" : await readFile(noted, "utf8").catch(() => "");
  const told = membersOf(valueOrText(text));
  return { toolUseId: textOf(told["toolUseId"]), above: aboveIn(told), member: memberIn(told) };
}

/** The first ones are the main agent's; deeper ones name the sub-agent that asked for them. */
function aboveIn({ parentAgentId, spawnDepth }: PlainObject): AgentFile["above"] {
  const agentId = textOf(parentAgentId);
  return agentId !== undefined || spawnDepth === 1 ? { agentId } : undefined;
}

/** Whether a path is that of a sub-agent's file. */
export function isAgentFile(path: string): boolean {
  return /^agent-.*\.jsonl$/.test(basename(path));
}
