import type { Step } from "@thoughtflow/schema";
import { type Why, whyOf } from "../src/why.ts";
import { sessionOf } from "./session-of.ts";

/** Why the last step of the last run is there. */
export function whyLast(...runs: readonly (readonly Step[])[]): Why {
  const session = sessionOf(...runs);
  const run = session.conversations.at(-1);
  const last = run?.steps.at(-1);
  if (run === undefined || last === undefined) throw new Error("no step");
  return whyOf(session, { run, step: last });
}
