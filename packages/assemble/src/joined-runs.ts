import type { Run } from "@thoughtflow/schema";
import { joinedTotals } from "./joined-sessions.ts";
import { present } from "./present.ts";

/** What two slices of a run say of it, the earlier one first: all but its steps, of which both have none. */
export function joinedRuns(first: Run, next: Run): Run {
  return {
    ...first,
    ...present({
      agent: first.agent ?? next.agent,
      user: first.user ?? next.user,
      trigger: first.trigger === "unknown" ? next.trigger : first.trigger,
      // Where the root doesn't say it, it is that of the last step that failed.
      error: next.error ?? first.error,
      totals: joinedTotals(first.totals, next.totals),
    }),
    steps: [],
  };
}
