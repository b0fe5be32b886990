import { fileNameOf, listSessions } from "@thoughtflow/journal";
import { badArguments } from "./command-error.ts";
import { type SessionSummary, summarizeSession } from "./session-summary.ts";

/** Fewer characters say too little. */
export const SHORTEST_BEGINNING = 4;
/** So many candidates are named. */
const MOST_NAMED = 5;

/**
 * The session of a flow directory whose id begins with a word, as commits are named by the beginnings of theirs; `undefined` where
 * none does. Ends the command where several do, and names them.
 */
export async function sessionBegunBy(
  word: string,
  dir: string,
): Promise<SessionSummary | undefined> {
  if (word.length < SHORTEST_BEGINNING) return undefined;
  // A name has other characters for what the file system can't have in it, and ends with which of its letters are capitals.
  const beginnings = [word, fileNameOf(word).replace(/~u[0-9a-f]+$/, "")];
  const files = listSessions(dir).filter(({ name }) =>
    beginnings.some((beginning) => name.startsWith(beginning)),
  );
  const read = await Promise.all(files.map(summarizeSession));
  const found = read.filter((one) => one?.session.session_id.startsWith(word) === true);
  if (found.length <= 1) return found[0];
  const ids = found.map((one) => one?.session.session_id).sort();
  const named = ids.slice(0, MOST_NAMED).join(", ");
  const more = ids.length > MOST_NAMED ? " …" : "";
  throw badArguments(
    `${word} begins the ids of ${ids.length} sessions in ${dir}: ${named}${more}. Add what tells yours apart.`,
  );
}
