import type { Session, SpanRecord } from "@thoughtflow/schema";
import { assemble } from "../src/assemble.ts";

/** The only session of the records. */
export function sessionOf(records: readonly SpanRecord[]): Session {
  const sessions = assemble(records);
  const [session] = sessions;
  if (session === undefined || sessions.length > 1) throw new Error(`${sessions.length} sessions`);
  return session;
}

/** The story of a session: each run, and its steps with what they rest on; ids without their zeros. */
export function storyOf(records: readonly SpanRecord[]): string[] {
  return sessionOf(records).conversations.flatMap((run) => [
    `run ${short(run.conversation_id)} ${run.status}`,
    ...run.steps.map(({ label, step_id, depends_on = [] }) =>
      [
        label,
        short(step_id),
        ...[depends_on].flat().map((id, i) => (i === 0 ? `<- ${short(id)}` : short(id))),
      ].join(" "),
    ),
  ]);
}

function short(id: string): string {
  return id.replaceAll(/\b(s|r)_0+/g, "$1_").replaceAll(/(snp_[a-z]+)_[0-9a-f]{16}/g, "$1");
}
