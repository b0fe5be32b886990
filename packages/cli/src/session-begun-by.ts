import { fileNameOf, listSessions, type SessionFile } from "@thoughtflow/journal";
import { badArguments } from "./command-error.ts";

/** Fewer characters say too little. */
const SHORTEST = 4;
/** So many candidates are named. */
const MOST_NAMED = 5;

/**
 * The session of a flow directory whose id begins with a word, as commits are named by the beginnings of theirs; `undefined` where
 * none does. Ends the command where several do, and names them.
 */
export function sessionBegunBy(word: string, dir: string): SessionFile | undefined {
  if (word.length < SHORTEST) return undefined;
  const beginning = fileNameOf(word);
  const [found, ...others] = listSessions(dir).filter(({ name }) => name.startsWith(beginning));
  if (others.length === 0) return found;
  const names = [found, ...others].map((one) => one?.name).sort();
  const named = names.slice(0, MOST_NAMED).join(", ");
  const more = names.length > MOST_NAMED ? " …" : "";
  throw badArguments(
    `${word} begins the ids of ${names.length} sessions in ${dir}: ${named}${more}. Add what tells yours apart.`,
  );
}
