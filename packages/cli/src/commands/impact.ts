import { documentSource, listSessions } from "@thoughtflow/journal";
import { type ImpactOfSession, impactOf } from "@thoughtflow/provenance";
import { renderImpact } from "@thoughtflow/render";
import type { Session } from "@thoughtflow/schema";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { terminalRendering } from "../terminal-rendering.ts";

export const impact: Command = {
  operands: "<snapshot|adaptation|part|step>",
  count: { min: 1, max: 1 },
  options: { format: FORMAT_OPTION, dir: DIR_OPTION },
  async run(args, io) {
    const [subject = ""] = args.positionals;
    const dir = flowDirectory(args, io);
    const impacts = impactOf(await sessionsAbout(subject, dir), subject);
    if (!impacts.some(({ subjects }) => subjects.length > 0)) {
      throw new CommandError(`Nothing in ${dir} is called ${subject}.`);
    }
    const format = args.text("format") ?? "pretty";
    if (format === "pretty") io.out(renderImpact(subject, impacts, terminalRendering(args, io)));
    else io.out(jsonText({ subject, sessions: impacts.map(toEntry) }, format));
    return ExitCode.ok;
  },
};

/**
 * The sessions that can have to do with it: files that hold the word, or that go on from another session. Others are
 * not parsed.
 */
async function sessionsAbout(subject: string, dir: string): Promise<Session[]> {
  const word = JSON.stringify(subject.slice(subject.lastIndexOf("/") + 1)).slice(1, -1);
  const sessions: Session[] = [];
  for (const { path } of listSessions(dir)) {
    try {
      const { source } = await documentSource(path);
      const isText = typeof source === "string";
      if (isText && !source.includes(word) && !source.includes('"continues"')) continue;
      const session: unknown = isText ? JSON.parse(source) : source;
      if (isSession(session)) sessions.push(session);
    } catch {
      // Removed since the directory was read, or no session: `validate` says more.
    }
  }
  return sessions;
}

function isSession(value: unknown): value is Session {
  if (typeof value !== "object" || value === null) return false;
  const { session_id: id, conversations: runs } = value as Partial<Session>;
  return (
    typeof id === "string" && Array.isArray(runs) && runs.every((run) => Array.isArray(run.steps))
  );
}

function toEntry({ session, subjects, steps }: ImpactOfSession): object {
  return {
    session_id: session.session_id,
    subjects: subjects.map(({ run, step }) => `${run.conversation_id}/${step.step_id}`),
    steps: steps.map(({ run, step }) => ({
      run_id: run.conversation_id,
      step_id: step.step_id,
      label: step.label,
      status: step.status,
    })),
  };
}
