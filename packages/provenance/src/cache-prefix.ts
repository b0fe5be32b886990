import type { Session } from "@thoughtflow/schema";
import type { PlacedStep } from "@thoughtflow/schema/steps";
import type { Prompt, PromptSegment } from "./prompt-of.ts";

/** How far a prompt begins like the one before it: what a provider's prompt cache can reuse. */
export interface CachePrefix {
  readonly previous: PlacedStep;
  /** Segments from the beginning that are wholly the same. */
  readonly segments: number;
  /** Absent where the whole earlier prompt is the beginning of this one. */
  readonly broken?: {
    /** Of this prompt; absent where this prompt is only a beginning of the earlier one. */
    readonly segment?: PromptSegment;
    /** Where in the segment, UTF-16 code units. */
    readonly at: number;
    readonly before: string;
    readonly after: string;
  };
}

/** The model call before this one in the session, with the same model where there is one. */
export function previousCall(session: Session, { run, step }: PlacedStep): PlacedStep | undefined {
  const calls: PlacedStep[] = [];
  for (const one of session.conversations) {
    for (const call of one.steps) {
      if (one === run && call === step) return sameModel(calls, step) ?? calls.at(-1);
      if (call.label === "assistant_call") calls.push({ run: one, step: call });
    }
  }
  return undefined;
}

function sameModel(calls: readonly PlacedStep[], { payload_started: own }: PlacedStep["step"]) {
  return calls.findLast(({ step }) => step.payload_started?.["model"] === own?.["model"]);
}

const SHOWN = 60;

/** Compares a prompt with an earlier one, character by character. */
export function cachePrefixOf(prompt: Prompt, earlier: Prompt): CachePrefix {
  const [now, before] = [wholeText(prompt), wholeText(earlier)];
  const same = commonLength(now, before);
  let start = 0;
  let segments = 0;
  for (const { text } of prompt.segments) {
    if (start + text.length > same) break;
    start += text.length + 1;
    segments += 1;
  }
  const prefix = { previous: earlier.call, segments };
  if (same >= before.length) return prefix;
  const segment = prompt.segments[segments];
  const from = Math.max(0, same - SHOWN / 3);
  return {
    ...prefix,
    broken: {
      ...(segment !== undefined && { segment }),
      at: Math.max(0, same - start),
      before: before.slice(from, from + SHOWN),
      after: now.slice(from, from + SHOWN),
    },
  };
}

function wholeText({ segments }: Prompt): string {
  return segments.map(({ text }) => text).join("\n");
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
