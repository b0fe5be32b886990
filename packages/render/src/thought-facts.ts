import type { Step } from "@thoughtflow/schema";
import { snippet } from "./clean-text.ts";
import { isRecord, isText, stepSummary } from "./step-summary.ts";

/** Most thoughts are plain reasoning: that is not said of each. */
const PLAIN_TYPE = "reasoning";
const LONGEST = 40;
/** Characters of what a step says; a line has room for fewer. */
const LONGEST_SUMMARY = 200;

/**
 * What kind of thought a step is, in the words of a heading: `planning`, `confidence 0.9`, `branch redis`,
 * `merges redis, memory: selected`. Empty for other steps.
 */
export function thoughtHeading(step: Step): readonly string[] {
  const facts = factsOf(step);
  if (facts === undefined) return [];
  const { type, confidence, more } = facts;
  return [
    ...(type === undefined ? [] : [type]),
    ...(confidence === undefined ? [] : [`confidence ${confidence}`]),
    ...more,
  ];
}

/** The same for the beginning of a line: `planning 0.9 · branch redis: `; empty where there is nothing to say. */
export function thoughtPrefix(step: Step): string {
  const facts = factsOf(step);
  if (facts === undefined) return "";
  const { type, confidence, more } = facts;
  const kind = [type ?? (confidence === undefined ? "" : PLAIN_TYPE), confidence ?? ""];
  const words = [kind.filter((word) => word !== "").join(" "), ...more].filter((one) => one !== "");
  return words.length === 0 ? "" : `${words.join(" · ")}: `;
}

/** What a thought chose, and what it left: a line for each. */
export function thoughtChoices({ label, payload_started: thought }: Step): readonly string[] {
  if (label !== "thought" || thought === undefined) return [];
  const { options, alternatives } = thought;
  const chosen = (Array.isArray(options) ? options : []).filter(isRecord).map((option) => {
    const reason = isText(option["reason"]) ? ` (${option["reason"]})` : "";
    return `${option["selected"] === true ? "" : "not "}chosen: ${String(option["label"])}${reason}`;
  });
  const left = (Array.isArray(alternatives) ? alternatives : []).filter(isText);
  return [...chosen, ...left.map((one) => `not chosen: ${one}`)].map((line) =>
    snippet(line, LONGEST_SUMMARY),
  );
}

/** What a step says, of a thought with its kind: `planning 0.9: First the map.` */
export function summaryOf(step: Step): string {
  return thoughtPrefix(step) + stepSummary(step, LONGEST_SUMMARY);
}

interface ThoughtFacts {
  readonly type?: string;
  readonly confidence?: string;
  readonly more: readonly string[];
}

function factsOf({ label, payload_started: thought }: Step): ThoughtFacts | undefined {
  if (label !== "thought" || thought === undefined) return undefined;
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
