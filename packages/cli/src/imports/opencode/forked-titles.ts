import { countOf, membersOf } from "../plain-values.ts";
import type { ExportedSession } from "./records.ts";
import type { AnswersByTime } from "./session.ts";

/** What the session was called that one was made of, if its title says that it was: versions before 2.0 tell of forks nowhere else. */
export function titleOfOrigin(title: string | undefined): string | undefined {
  return /^(.*) \(fork #\d+\)$/s.exec(title ?? "")?.[1];
}

/** The session that gave the first answer of a fork, which has it with its time. */
export function originOf(
  { id, title, messages }: ExportedSession,
  answers: ReadonlyMap<string, AnswersByTime>,
): string | undefined {
  if (titleOfOrigin(title) === undefined) return undefined;
  const answer = messages.find(({ info }) => info["role"] === "assistant");
  const ms = countOf(membersOf(answer?.info["time"])["created"]);
  for (const [other, told] of answers) if (other !== id && told.has(ms)) return other;
  return undefined;
}
