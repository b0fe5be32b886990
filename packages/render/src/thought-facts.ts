import type { Step } from "@thoughtflow/schema";
import { snippet } from "./clean-text.ts";
import { isText } from "./step-summary.ts";

/** Most thoughts are plain reasoning: that is not said of each. */
const PLAIN_TYPE = "reasoning";
const LONGEST = 40;

/**
 * What kind of thought a step is, in the words of a heading: `planning`, `confidence 0.9`, `branch redis`,
 * `merges redis, memory: selected`. Empty for other steps.
 */
export function thoughtHeading(step: Step): readonly string[] {
  const { type, confidence, more } = factsOf(step);
  return [
    ...(type === undefined ? [] : [type]),
    ...(confidence === undefined ? [] : [`confidence ${confidence}`]),
    ...more,
  ];
}

/** The same for the beginning of a line: `planning 0.9 · branch redis: `; empty where there is nothing to say. */
export function thoughtPrefix(step: Step): string {
  const { type, confidence, more } = factsOf(step);
  const kind = [type ?? (confidence === undefined ? "" : PLAIN_TYPE), confidence ?? ""];
  const words = [kind.filter((word) => word !== "").join(" "), ...more].filter((one) => one !== "");
  return words.length === 0 ? "" : `${words.join(" · ")}: `;
}

function factsOf({ label, payload_started: thought }: Step): {
  readonly type?: string;
  readonly confidence?: string;
  readonly more: readonly string[];
} {
  if (label !== "thought" || thought === undefined) return { more: [] };
  const type = thought["thought_type"];
  const { confidence, branchId, mergesBranches, resolution } = thought;
  const merged = Array.isArray(mergesBranches) ? mergesBranches.filter(isText) : [];
  const how = isText(resolution) ? `: ${resolution}` : "";
  return {
    ...(isText(type) &&
      type !== PLAIN_TYPE && { type: snippet(type.replaceAll("_", " "), LONGEST) }),
    ...((typeof confidence === "number" || isText(confidence)) && {
      confidence: snippet(String(confidence), LONGEST),
    }),
    more: [
      ...(isText(branchId) ? [snippet(`branch ${branchId}`, LONGEST)] : []),
      ...(merged.length > 0 ? [snippet(`merges ${merged.join(", ")}${how}`, LONGEST)] : []),
    ],
  };
}
