import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SpanRecord } from "@thoughtflow/schema";
import type { ImportFormat, ImportReport } from "../import-format.ts";
import { createLossCounter } from "../loss-table.ts";
import { membersOf, type PlainObject, textOf, valueOrText } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import { filesBelow, type SourceFile, type SourceLine, sourceFile } from "../source-file.ts";
import type { AgentFile } from "./agent-conversations.ts";
import { CLAUDE_CODE_LOSSES } from "./losses.ts";
import { createPassedRecords } from "./passed-records.ts";
import { isTranscript } from "./recognise.ts";
import { outlineOf, promptOf, readTranscriptLine, type TranscriptLine } from "./records.ts";
import { createTranscriptSession, type TranscriptSession } from "./session.ts";
import { arrayIn, beginsArray, joinedFile } from "./stream-files.ts";
import { memberIn } from "./teammates.ts";
import type { FindEarlier } from "./transcript-state.ts";

/** Transcripts of Claude Code: one file a session, beside it or below it one for each sub-agent. */
export const claudeCode: ImportFormat = {
  summary: "transcripts of Claude Code: a session's .jsonl, or a directory of them",
  guessesEnds: true,
  tellsNewsOnly: true,
  what: "a transcript of Claude Code",
  losses: CLAUDE_CODE_LOSSES,
  recognise: isTranscript,
  takes: (name) =>
    (name.endsWith(".jsonl") && basename(name) !== "journal.jsonl") ||
    basename(name) === ACTION_FILE,
  async besides(path) {
    if (isAgentFile(path)) return [];
    const below = await filesBelow(path.replace(/\.jsonl$/, ""), isAgentFile).catch(() => []);
    const beside = (await readdir(dirname(path))).filter(isAgentFile);
    const own = await openingOf(sourceFile(path, path));
    const others = await openingsOf(
      beside.map((name) => sourceFile(join(dirname(path), name), name)),
    );
    const agents = others.filter(({ sessionId }) => sessionId === own?.sessionId);
    return [...agents.flatMap(({ file }) => file.path ?? []), ...below];
  },
  read: readTranscripts,
};

/** What the action for GitHub's workflows writes: the records of a stream as one array. */
const ACTION_FILE = "claude-execution-output.json";

/** What the first records of a file tell. */
interface Opening {
  readonly file: SourceFile;
  readonly sessionId: string;
  readonly ms: number;
  /** Of a sub-agent's file. */
  readonly agent: AgentFile | undefined;
  readonly isStreamed: boolean;
  readonly summaries: readonly Summary[];
  /** How many lines were read for it. */
  readonly lines: number;
}

type AgentOpening = Opening & { readonly agent: AgentFile };

/** What Claude Code calls a session, at a record of it that is perhaps in another file. */
interface Summary {
  readonly leaf: string;
  readonly text: string;
  readonly order: number;
}

/** So many records of sessions that are done are remembered: one that is resumed goes on from one of them. */
const REMEMBERED = 200_000;

async function* readTranscripts(
  files: readonly SourceFile[],
  report: ImportReport,
  isGrowing = false,
): AsyncGenerator<SpanRecord> {
  // A file of it may be as odd as it likes, where one of them is a transcript.
  const openings = await openingsOf(await filesOfFormat(files, claudeCode, report, true));
  const agents = new Map<string, AgentOpening[]>();
  for (const opening of openings) {
    if (!isOfAgent(opening)) continue;
    agents.set(opening.sessionId, [...(agents.get(opening.sessionId) ?? []), opening]);
  }
  const mains = joinedStreams(
    await originalsFirst(
      openings.filter((opening) => !isOfAgent(opening)),
      agents,
    ),
  );
  /** Sessions whose transcripts are there: they tell more than the streams of the same. */
  const transcribed = new Set(
    mains.flatMap(({ sessionId, isStreamed }) => (isStreamed ? [] : [sessionId])),
  );
  const passed = createPassedRecords(REMEMBERED);
  const countLosses = createLossCounter(CLAUDE_CODE_LOSSES, report);
  /** By the record that they are of. Most stand at a file's beginning: of sessions that come before it. */
  const summaries = new Map<string, Summary[]>();
  const noteSummary = (summary: Summary): void => {
    const others = summaries.get(summary.leaf);
    if (others === undefined) summaries.set(summary.leaf, [summary]);
    else others.push(summary);
  };
  for (const { summaries: noted } of mains) noted.forEach(noteSummary);
  const begin = (id: string, startMs = 0) => {
    const earlier: FindEarlier = (uuid, copy) => {
      const found = passed.get(uuid);
      if (found === undefined || found.session.id === id) return undefined;
      const isMeant =
        copy?.time === undefined || (copy.time === found.time && outlineOf(copy) === found.outline);
      return isMeant ? found.session : undefined;
    };
    const filed = new Set(agents.get(id)?.map(({ agent }) => agent.agentId));
    return createTranscriptSession(id, report, earlier, startMs, filed);
  };

  /** Whether a record of the session stands there already; if not, it passes now. */
  const hasPassed = (line: TranscriptLine, session: TranscriptSession): boolean => {
    const { uuid, time } = line;
    if (uuid === undefined) return false;
    const outline = outlineOf(line);
    const before = passed.get(uuid);
    const isKnown =
      before?.session === session && before.time === time && before.outline === outline;
    if (isKnown) report.lost("record that stands there already");
    else passed.add(uuid, { session, time, outline });
    return isKnown;
  };

  for (const { file, sessionId, lines, isStreamed, ms } of mains) {
    // Once a time is told, what came before has another one.
    if (isGrowing && isStreamed && ms === 0) continue;
    const sessions = new Map<string, TranscriptSession>();
    const sessionOf = (id: string): TranscriptSession => {
      const known = sessions.get(id);
      if (known !== undefined) return known;
      const session = begin(id, isStreamed ? latestMs : 0);
      sessions.set(id, session);
      return session;
    };
    /** Such records that are known by now. */
    const named = new Set<string>();
    let latest = sessionId;
    let latestMs = ms;
    for await (const source of file.lines()) {
      const line = readTranscriptLine(source);
      if ("problem" in line) {
        report.odd(line.problem);
        const { number, text } = source;
        sessionOf(latest).odd({ number, text, problem: line.problem });
        continue;
      }
      latest = line.sessionId ?? latest;
      latestMs = line.time ?? latestMs;
      if (line.isStreamed && transcribed.has(latest)) {
        report.lost("record of a stream", "the session's transcript is there, too");
        continue;
      }
      countLosses(line.record);
      const summary = summaryIn(line);
      if (summary !== undefined) {
        if (line.number > lines) noteSummary(summary);
        if (passed.get(summary.leaf) !== undefined) named.add(summary.leaf);
        continue;
      }
      const session = sessionOf(latest);
      // A session that is resumed or compacted again is written down once more, from some point on.
      if (hasPassed(line, session)) continue;
      const title = textOf(line.record["customTitle"]) ?? textOf(line.record["aiTitle"]);
      if (title !== undefined) yield session.title(title, line.number);
      // Most say nothing yet, which `yield*` would wait for.
      else for (const span of session.take(line)) yield span;
      if (line.uuid !== undefined && summaries.has(line.uuid)) named.add(line.uuid);
    }
    for (const session of sessions.values()) {
      yield* readAgents(session, agents.get(session.id) ?? [], {
        report,
        countLosses,
        hasPassed,
        isGrowing,
      });
      agents.delete(session.id);
      yield* session.finish(isGrowing);
    }
    sessions.clear();
    // Told at the end of the import, the files of their sessions would be made twice.
    for (const leaf of named) {
      const session = passed.get(leaf)?.session;
      if (session === undefined) continue;
      for (const { text, order } of summaries.get(leaf) ?? []) yield session.title(text, order);
      summaries.delete(leaf);
    }
  }
  // Left behind by sessions that are gone.
  for (const [sessionId, files] of isGrowing ? [] : agents) {
    const session = begin(sessionId);
    yield* readAgents(session, files, { report, countLosses, hasPassed, isGrowing });
    yield* session.finish();
  }
  for (const unknown of summaries.values())
    for (const _ of unknown) report.lost("summary of a session that is not here");
  // A generator that is done still holds its variables while what it gave is made into files.
  passed.clear();
}

/** The streams of one session are one: it was taken up again. */
function joinedStreams(mains: readonly Opening[]): readonly Opening[] {
  const streams = new Map<string, Opening[]>();
  for (const one of mains)
    if (one.isStreamed) streams.set(one.sessionId, [...(streams.get(one.sessionId) ?? []), one]);
  return mains.flatMap((one) => {
    const parts = streams.get(one.sessionId) ?? [];
    if (!one.isStreamed || parts.length < 2) return [one];
    return one === parts[0] ? [{ ...one, file: joinedFile(parts.map(({ file }) => file)) }] : [];
  });
}

function summaryIn({ type, record, number }: TranscriptLine): Summary | undefined {
  if (type !== "summary") return undefined;
  const leaf = textOf(record["leafUuid"]);
  const text = textOf(record["summary"]);
  return leaf === undefined || text === undefined ? undefined : { leaf, text, order: number };
}

/**
 * Of sessions that began at once all but one begin with a copy of another one. The files of sub-agents are not copied: the original
 * has those of what stands in all of them. Else it is the one that ended first: those that were resumed go on from it.
 */
async function originalsFirst(
  mains: readonly Opening[],
  agents: ReadonlyMap<string, readonly AgentOpening[]>,
): Promise<readonly Opening[]> {
  const alike = new Map<number, Opening[]>();
  for (const one of mains) {
    const group = alike.get(one.ms);
    if (group === undefined) alike.set(one.ms, [one]);
    else group.push(one);
  }
  const ends = new Map<Opening, number>();
  const agentsOfAll = new Map<Opening, number>();
  for (const group of alike.values()) {
    if (group.length === 1) continue;
    let first = Number.POSITIVE_INFINITY;
    for (const one of group) {
      const end = await endOf(one.file);
      ends.set(one, end);
      first = Math.min(first, end);
    }
    for (const one of group) {
      const own = agents.get(one.sessionId) ?? [];
      agentsOfAll.set(one, own.filter(({ ms }) => ms <= first).length);
    }
  }
  const countOf = (counts: ReadonlyMap<Opening, number>, one: Opening) => counts.get(one) ?? 0;
  return mains.toSorted(
    (a, b) =>
      a.ms - b.ms ||
      countOf(agentsOfAll, b) - countOf(agentsOfAll, a) ||
      countOf(ends, a) - countOf(ends, b),
  );
}

/** The time of the latest of its last records; of all where they tell none. */
async function endOf(file: SourceFile): Promise<number> {
  return (await latestTimeIn(file.lastLines())) || latestTimeIn(file.lines());
}

async function latestTimeIn(lines: AsyncIterable<SourceLine>): Promise<number> {
  let latest = 0;
  for await (const source of lines) {
    const line = readTranscriptLine(source);
    if (!("problem" in line)) latest = Math.max(latest, line.time ?? 0);
  }
  return latest;
}

interface AgentReading {
  readonly report: ImportReport;
  readonly countLosses: (record: PlainObject) => void;
  readonly hasPassed: (line: TranscriptLine, session: TranscriptSession) => boolean;
  readonly isGrowing: boolean;
}

/**
 * Those first that are known to be asked for: what they ask for is known then. Ids come before words, which calls in files may hold
 * that are not read yet; of those with the same words the first is the agent that began first. At last the others, but for those of
 * a session that grows: who asks for them may not be told yet, and that decides their trace.
 */
async function* readAgents(
  session: TranscriptSession,
  agents: readonly AgentOpening[],
  { report, countLosses, hasPassed, isGrowing }: AgentReading,
): AsyncGenerator<SpanRecord> {
  let waiting: readonly AgentOpening[] = agents.toSorted((a, b) => a.ms - b.ms);
  while (waiting.length > 0) {
    const named = waiting.filter(({ agent }) => session.isNamed(agent));
    const asked =
      named.length > 0 ? named : waiting.filter(({ agent }) => session.isAwaited(agent));
    if (asked.length === 0 && isGrowing) return;
    const next = asked.length > 0 ? asked : waiting;
    for (const { file, agent } of next) {
      for await (const source of file.lines()) {
        const line = readTranscriptLine(source);
        if ("problem" in line) report.lost(`unreadable line (${line.problem}) of a sub-agent`);
        else {
          countLosses(line.record);
          if (hasPassed(line, session)) continue;
          for (const span of session.take(line, agent)) yield span;
        }
      }
    }
    waiting = waiting.filter((one) => !next.includes(one));
  }
}

function isOfAgent(opening: Opening): opening is AgentOpening {
  return opening.agent !== undefined;
}

const FIRST_LINES = 50;
/** Of a stream: before 2.1.330 only what tools gave has a time, and what streams in pieces comes before that. */
const FIRST_STREAMED_LINES = 2_000;

/** One file after the other: a directory may hold more than can be open at once. */
async function openingsOf(files: readonly SourceFile[]): Promise<readonly Opening[]> {
  const openings: Opening[] = [];
  for (const file of files) {
    const opening = await openingOf(file);
    if (opening !== undefined) openings.push(opening);
  }
  return openings;
}

async function openingOf(file: SourceFile): Promise<Opening | undefined> {
  const summaries: Summary[] = [];
  let records = 0;
  let lines = 0;
  let first: TranscriptLine | undefined;
  let any: TranscriptLine | undefined;
  let time: number | undefined;
  for await (const source of file.lines()) {
    if (source.number > (first?.isStreamed ? FIRST_STREAMED_LINES : FIRST_LINES)) break;
    const array = lines === 0 && beginsArray(source) ? await arrayIn(file) : undefined;
    if (array !== undefined) return openingOf(array);
    lines = source.number;
    const line = readTranscriptLine(source);
    if ("problem" in line) continue;
    records++;
    const summary = summaryIn(line);
    if (summary !== undefined) summaries.push(summary);
    any ??= line;
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
    summaries,
    lines,
  };
}

/** What versions from 2.1 on note of a sub-agent beside its file, in `agent-<id>.meta.json`: which call asked for it. */
async function notedBeside({ path }: SourceFile): Promise<Pick<AgentFile, "toolUseId" | "member">> {
  const noted = path?.replace(/\.jsonl(\.\w+)?$/, ".meta.json");
  const text = noted === undefined ? "" : await readFile(noted, "utf8").catch(() => "");
  const told = membersOf(valueOrText(text));
  return { toolUseId: textOf(told["toolUseId"]), member: memberIn(told) };
}

function isAgentFile(path: string): boolean {
  return /^agent-.*\.jsonl$/.test(basename(path));
}
