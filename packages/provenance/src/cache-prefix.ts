import type { Session } from "@thoughtflow/schema";
import type { PlacedStep } from "@thoughtflow/schema/steps";
import type { Prompt, PromptSegment } from "./prompt-of.ts";

/** How far a prompt begins like the one before it: what a provider's prompt cache can reuse. */
export interface CachePrefix {
  readonly previous: PlacedStep;
  /** Segments from the beginning that are wholly the same. */
  readonly segments: number;
  /** Absent where the whole earlier prompt is the beginning of this one. */
  readonly broken?: CacheBreak;
}

/** Where two prompts part ways, and by what. */
export interface CacheBreak {
  /**
   * `changed`: a segment says something else; `added`: one came between; `dropped`: one that the earlier prompt had is not
   * there.
   */
  readonly how: "changed" | "added" | "dropped";
  /** The segment to blame: of this prompt, of the earlier one where it was dropped. */
  readonly segment: PromptSegment;
  /** Where in the segment, UTF-16 code units; 0 unless it changed. */
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** The model call before this one of the same agent, with the same model where there is one: agents have a prompt each. */
export function previousCall(session: Session, { run, step }: PlacedStep): PlacedStep | undefined {
  const calls: PlacedStep[] = [];
  for (const one of session.conversations) {
    for (const call of one.steps) {
      if (one === run && call === step) return sameModel(calls, step) ?? calls.at(-1);
      if (call.label === "assistant_call" && call.agent_id === step.agent_id)
        calls.push({ run: one, step: call });
    }
  }
  return undefined;
}

function sameModel(calls: readonly PlacedStep[], { payload_started: own }: PlacedStep["step"]) {
  return calls.findLast(({ step }) => step.payload_started?.["model"] === own?.["model"]);
}

const SHOWN = 60;

/** Compares a prompt with an earlier one, character by character, and tells which segment makes the difference. */
export function cachePrefixOf(prompt: Prompt, earlier: Prompt): CachePrefix {
  const [now, before] = [wholeText(prompt), wholeText(earlier)];
  const same = commonLength(now, before);
  const here = placeIn(prompt, same);
  const prefix = { previous: earlier.call, segments: here.segments };
  if (same >= before.length) return prefix;
  const from = Math.max(0, same - SHOWN / 3);
  return {
    ...prefix,
    broken: {
      ...blame(prompt.segments.slice(here.segments), earlier, here, placeIn(earlier, same)),
      before: before.slice(from, from + SHOWN),
      after: now.slice(from, from + SHOWN),
    },
  };
}

interface Place {
  /** Segments that are wholly before it. */
  readonly segments: number;
  /** Characters behind them. */
  readonly at: number;
}

function placeIn({ segments }: Prompt, position: number): Place {
  let start = 0;
  let whole = 0;
  for (const { text } of segments) {
    if (start + text.length > position) break;
    start += text.length + 1;
    whole += 1;
  }
  return { segments: whole, at: Math.max(0, position - start) };
}

/** A segment that both have, but at other places, has not changed: what stands before it came or went. */
function blame(
  left: readonly PromptSegment[],
  { segments }: Prompt,
  here: Place,
  there: Place,
): Pick<CacheBreak, "how" | "segment" | "at"> {
  const leftThere = segments.slice(there.segments);
  const [now] = left;
  const [before] = leftThere;
  if (before === undefined)
    return { how: "changed", segment: now ?? (segments.at(-1) as PromptSegment), at: here.at };
  if (now === undefined) return { how: "dropped", segment: before, at: 0 };
  if (here.at === there.at) {
    const isLater = (one: PromptSegment, others: readonly PromptSegment[]): boolean =>
      others.slice(1).some(({ text }) => text === one.text) ||
      (now.type !== before.type && others.slice(1).some(({ type }) => type === one.type));
    const [wasLater, isStillThere] = [isLater(now, leftThere), isLater(before, left)];
    if (isStillThere && !wasLater) return { how: "added", segment: now, at: 0 };
    if (wasLater && !isStillThere) return { how: "dropped", segment: before, at: 0 };
    if (now.type !== before.type && !isStillThere && left.length < leftThere.length)
      return { how: "dropped", segment: before, at: 0 };
  }
  return { how: "changed", segment: now, at: here.at };
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
