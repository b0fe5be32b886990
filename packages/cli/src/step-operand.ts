import { dirname, join } from "node:path";
import { documentSource } from "@thoughtflow/journal";
import { idShortener } from "@thoughtflow/render";
import { createStepIndex, type PlacedStep, readSession, type Session } from "@thoughtflow/schema";
import type { CommandArguments } from "./command.ts";
import { badArguments } from "./command-error.ts";
import type { CommandIo } from "./command-io.ts";
import { commandIn, flowDirectory } from "./flow-directory.ts";
import { loadWholeSession, meansSession } from "./load-session.ts";
import { nearestMatch } from "./nearest-match.ts";
import { sessionBegunBy } from "./session-begun-by.ts";
import { summarizeSessions } from "./session-summary.ts";
import { typedWord } from "./typed-word.ts";
import { withWholeTexts } from "./whole-texts.ts";

/** What `[session] [step]` says in a help text. */
export const STEP_OPERAND = "[file|session|latest] [step]";

/** A step and the session that it is in. */
export interface ChosenStep {
  readonly session: Session;
  readonly placed: PlacedStep;
}

/**
 * The step that the command line means: of the session that is named first, else of the latest one that has it; the
 * word may be shortened as the tree shows it, and a session's to the beginning of its id. Without a step, what `otherwise` chooses.
 * `sought` is what that is called.
 */
export async function chosenStep(
  args: CommandArguments,
  io: CommandIo,
  otherwise: (session: Session) => PlacedStep | undefined,
  sought = "step",
): Promise<ChosenStep> {
  const dir = flowDirectory(args, io);
  const [first = "latest", second] = args.positionals;
  const isSession = second !== undefined || meansSession(first, dir, io);
  const found = isSession ? undefined : await stepAnywhere(first, dir);
  if (found !== undefined) return found;
  if (isSession || (await sessionBegunBy(first, dir)) !== undefined) {
    const session = await loadWholeSession(first, dir, io);
    const placed = second === undefined ? otherwise(session) : stepNamed(session, second);
    if (placed !== undefined) return { session, placed };
    const show = commandIn(dir, `show ${typedWord(first)}`, io);
    if (second !== undefined) throw noStep(second, session, show);
    throw badArguments(`${session.session_id} has no ${sought} to show. See: ${show}`);
  }
  throw noStep(first, await loadWholeSession("latest", dir, io), commandIn(dir, "show", io));
}

/** The latest session of the directory that has the step. */
async function stepAnywhere(word: string, dir: string): Promise<ChosenStep | undefined> {
  for (const { file } of await summarizeSessions(dir)) {
    const result = readSession((await documentSource(file.path).catch(() => undefined))?.source);
    if (!result.ok) continue;
    const session = withWholeTexts(result.session, join(dirname(file.path), "blobs"));
    const placed = stepNamed(session, word);
    if (placed !== undefined) return { session, placed };
  }
  return undefined;
}

/** By id, alias, `<run id>/<step id>`, or an id shortened as the tree shows it. */
function stepNamed(session: Session, word: string): PlacedStep | undefined {
  const { conversations } = session;
  const [run] = conversations;
  if (run === undefined) return undefined;
  const exact = createStepIndex(session)(word, run);
  if (exact !== undefined) return exact;
  const shorten = idShortener(session);
  for (const one of conversations) {
    const step = one.steps.find(({ step_id: id }) => shorten(id) === word);
    if (step !== undefined) return { run: one, step };
  }
  return undefined;
}

/** @param show The command that shows the steps there are. */
function noStep(word: string, session: Session, show: string): Error {
  const ids = session.conversations.flatMap(({ steps }) => steps.map(({ step_id: id }) => id));
  const shorten = idShortener(session);
  const like = nearestMatch(word, [...ids, ...ids.map(shorten)]);
  const hint = like === undefined ? `See: ${show}` : `Did you mean ${like}?`;
  return badArguments(
    `There is neither a session nor a step ${word} in ${session.session_id}. ${hint}`,
  );
}
