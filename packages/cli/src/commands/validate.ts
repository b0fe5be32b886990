import { plainText } from "@thoughtflow/render";
import { checkSession, type Problem, readSession, type Session } from "@thoughtflow/schema";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { readSessionSource } from "../load-session.ts";
import { problemLines } from "../problem-lines.ts";
import { counted } from "../quantity.ts";
import { thoughtWarnings } from "../thought-warnings.ts";
import { type ReadWorkflow, readWorkflow } from "../workflow-from.ts";

export const validate: Command = {
  operands: "<file|session|latest …>",
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
      const report = await examine(word, dir, io);
      // However often a file is named, and by what words.
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

async function examine(word: string, dir: string, io: CommandIo): Promise<Report> {
  try {
    const { name, source } = await readSessionSource(word, dir, io);
    const workflow = await readWorkflow(source);
    if (workflow !== undefined) return reportOf(name, workflow);
    const result = readSession(source);
    if (!result.ok) return { file: name, ok: false, problems: result.problems, warnings: [] };
    const { session, version } = result;
    const warnings = [...checkSession(session), ...thoughtWarnings(session)];
    return { file: name, ok: true, version, ...countsOf(session), problems: [], warnings };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const problem: Problem = { code: "unreadable", path: [], message: error.message };
    return { file: word, ok: false, problems: [problem], warnings: [] };
  }
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
