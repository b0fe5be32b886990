import { dependsOnBy } from "./depends-on.ts";
import { compareMoments } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

/** What each execution was repeated by, as the later one says. */
export function repeatsOf(recorded: readonly StepDraft[]): ReadonlyMap<StepDraft, StepDraft> {
  const tools = recorded.filter(({ label }) => label === "tool_call");
  const repeats = new Map<StepDraft, StepDraft>();
  const retries = tools.flatMap((tool) => {
    const retry = dependsOnBy(tool.span.record, "retry_of");
    return retry === undefined ? [] : [{ tool, name: retry.name }];
  });
  if (retries.length === 0) return repeats;
  const byName = new Map<string, StepDraft>();
  for (const tool of tools) byName.set(`s_${tool.span.record.spanId}`, tool).set(tool.id, tool);
  for (const { tool, name } of retries) {
    const first = byName.get(name);
    if (first !== undefined && compareMoments(first.moment, tool.moment) < 0)
      repeats.set(first, tool);
  }
  return repeats;
}
