import { resolve } from "node:path";
import { listSessions } from "@thoughtflow/journal";
import { plainText } from "@thoughtflow/render";
import { checkSession, type Problem, readSession, type Session } from "@thoughtflow/schema";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { isDirectory } from "../imports/source-file.ts";
import { jsonText } from "../json-text.ts";
import { importThatReads, readSessionSource } from "../load-session.ts";
import { problemLines } from "../problem-lines.ts";
import { counted } from "../quantity.ts";
import { shownPath } from "../shown-path.ts";
import { thoughtWarnings } from "../thought-warnings.ts";
import { type ReadWorkflow, readWorkflow } from "../workflow-from.ts";

export const validate: Command = {
  operands: "<file|directory|session|latest> …",
  count: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    strict: {
      summary:
        "fail on warnings too: dangling or circular dependencies, repeated ids, wrong ranges, thoughts",
    },
    format: FORMAT_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const dir = flowDirectory(args, io);
    const reports = new Map<string, Report>();
    for (const word of args.positionals) {
      // However often a file is named, and by what words.
      for await (const report of examineAll(word, dir, io))
        if (!reports.has(report.file)) reports.set(report.file, report);
    }
    const all = [...reports.values()];
    const format = args.text("format") ?? "pretty";
    io.out(format === "pretty" ? all.map(reportText).join("") : jsonText(all, format));
    const isSound = ({ ok, warnings }: Report) =>
      ok && !(args.has("strict") && warnings.length > 0);
    return all.every(isSound) ? ExitCode.ok : ExitCode.failure;
  },
};

/** What is known of one file after reading it. */
interface Report {
  readonly file: string;
  readonly ok: boolean;
  readonly version?: string;
  readonly session_id?: string;
  readonly runs?: number;
  readonly steps?: number;
  /** Of a workflow document. */
  readonly agents?: number;
  readonly requests?: number;
  /** Why it can't be read. */
  readonly problems: readonly Problem[];
  /** What is wrong in a file that can be read. */
  readonly warnings: readonly Problem[];
}

/** Of a directory all files of ours; others are left out, which is told. */
async function* examineAll(word: string, dir: string, io: CommandIo): AsyncGenerator<Report> {
  const path = resolve(io.cwd, word);
  if (!(await isDirectory(path).catch(() => false))) {
    yield await examine(word, dir, io);
    return;
  }
  const files = listSessions(path).map((file) => file.path);
  let left = 0;
  for (const file of files.toSorted()) {
    const report = await examine(file, dir, io);
    if (report.problems.some(({ code }) => code === "foreign")) left++;
    else yield report;
  }
  const name = shownPath(path, io.cwd);
  if (left === files.length) yield unreadable(name, `${name} holds no ThoughtFlow file.`);
  else if (left > 0) io.say(`${name}: left out ${counted(left, "other file")}.`);
}

async function examine(word: string, dir: string, io: CommandIo): Promise<Report> {
  try {
    const { name, source, path } = await readSessionSource(word, dir, io);
    const workflow = await readWorkflow(source);
    if (workflow !== undefined) return reportOf(name, workflow);
    const result = readSession(source);
    if (!result.ok) {
      const hints = await importThatReads(name, path);
      const foreign = hints.map((message): Problem => ({ code: "foreign", path: [], message }));
      return { file: name, ok: false, problems: [...result.problems, ...foreign], warnings: [] };
    }
    const { session, version } = result;
    const warnings = [...checkSession(session), ...thoughtWarnings(session)];
    return { file: name, ok: true, version, ...countsOf(session), problems: [], warnings };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return unreadable(word, error.message);
  }
}

function unreadable(file: string, message: string): Report {
  return { file, ok: false, problems: [{ code: "unreadable", path: [], message }], warnings: [] };
}

function reportOf(file: string, read: ReadWorkflow): Report {
  if (!read.ok) return { file, ok: false, problems: read.problems, warnings: [] };
  const { total_agents: agents, total_requests: requests } =
    read.workflow.metadata.summary.agent_tracking;
  return { file, ok: true, agents, requests, problems: [], warnings: [] };
}

function countsOf({ session_id, conversations }: Session) {
  const steps = conversations.reduce((sum, run) => sum + run.steps.length, 0);
  return { session_id, runs: conversations.length, steps };
}

function reportText(report: Report): string {
  const { file, ok, problems, warnings } = report;
  const lines = ok
    ? [`${plainText(file)}: ok (${contentOf(report).join(", ")})`]
    : problemLines(file, problems);
  const warned = problemLines(`${file}: warning`, warnings);
  return [...lines, ...warned].map((line) => `${line}\n`).join("");
}

function contentOf({ version, runs, steps, agents, requests }: Report): readonly string[] {
  if (agents !== undefined)
    return ["workflow", counted(agents, "agent"), counted(requests ?? 0, "request")];
  return [`version ${version}`, counted(runs ?? 0, "run"), counted(steps ?? 0, "step")];
}
