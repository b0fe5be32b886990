import type { Session } from "@thoughtflow/schema";
import type { CommandOption } from "./command.ts";
import { badArguments } from "./command-error.ts";
import { nearestMatch } from "./nearest-match.ts";

/** `--run`, for commands that show one run of a session. */
export const RUN_OPTION: CommandOption = {
  value: "ID",
  summary: "only this run, by its id (r_…, beside its number in the tree)",
};

/** Ends the command when the session has no such run; `undefined` means all and is fine. */
export function requireRun(session: Session, run: string | undefined): void {
  const ids = session.conversations.map(({ conversation_id }) => conversation_id);
  if (run === undefined || ids.includes(run)) return;
  const like = nearestMatch(run, ids);
  const hint =
    like === undefined ? `It has: ${ids.slice(0, 20).join(", ")}` : `Did you mean ${like}?`;
  throw badArguments(`--run is "${run}", which is no run of ${session.session_id}. ${hint}`);
}
