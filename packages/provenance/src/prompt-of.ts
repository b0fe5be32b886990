import type { Run, Session, Step } from "@thoughtflow/schema";
import {
  createStepIndex,
  dependenciesOf,
  inputOf,
  type PlacedStep,
  type StepIndex,
} from "@thoughtflow/schema/steps";
import { type Provenance, provenanceOf, type RangedPart } from "./provenance-of.ts";

/** The type of the segment that holds the schemas of the tools. */
export const TOOL_SCHEMAS = "tool_schemas_snapshot";

const POLICY = "policy.snapshot";

/** A stretch of what a model was sent. */
export interface PromptSegment {
  /** `tool_schemas_snapshot`, `policy`, `user_instruction`, `history`, `tool_output`, or a part's own type. */
  readonly type: string;
  readonly text: string;
  /** The step that it is, where it is one. */
  readonly step?: PlacedStep;
  readonly role?: string;
  readonly id?: string;
  readonly version?: string;
  readonly hash?: string;
  /** Where it stands in the final prompt: UTF-16 code units and UTF-8 bytes. */
  readonly range?: Pick<RangedPart, "start" | "end" | "startByte" | "endByte">;
}

/** All that a model call was sent, in the order in which providers read it. */
export interface Prompt {
  readonly call: PlacedStep;
  readonly segments: readonly PromptSegment[];
  /** Parts without a place, such as the count of tools. */
  readonly beside: readonly RangedPart[];
}

/**
 * What a model call was sent: tools, instructions, history and what was said last, each by the parts that its program
 * composed it of, where it did.
 */
export function promptOf(session: Session, call: PlacedStep): Prompt {
  const index = createStepIndex(session);
  const provenance = provenanceOf(call, index);
  const snapshots = snapshotsOf(call, index);
  const { instructions, messages } = composed(provenance);
  const told = new Set(provenance?.parts.flatMap(({ id, hash }) => [id, hash]));
  const input = inputOf(session, call.run, call.step, index);
  const given = new Set(input.map(({ step }) => step.step_id));
  const policies = ofLabel(snapshots, POLICY).filter(
    ({ step: { step_id: id } }) =>
      !given.has(id) && !told.has(id) && !told.has(id.replace(/^snp_policy_/, "")),
  );
  return {
    call,
    segments: [
      ...ofLabel(snapshots, "tool.schemas.snapshot").map((placed) =>
        snapshotSegment(session, placed),
      ),
      ...policies.map((placed) => snapshotSegment(session, placed)),
      ...instructions,
      ...conversation(session, input, messages),
    ],
    beside: provenance?.parts.filter(({ start }) => start === undefined) ?? [],
  };
}

function snapshotsOf({ run, step }: PlacedStep, index: StepIndex): PlacedStep[] {
  return dependenciesOf(step).flatMap((id) => index(id, run) ?? []);
}

function ofLabel(steps: readonly PlacedStep[], label: string): PlacedStep[] {
  return steps.filter(({ step }) => step.label === label);
}

/** A message that the program composed: its text, and what it was made of. */
interface ComposedMessage {
  readonly text: string;
  readonly segments: readonly PromptSegment[];
}

function composed(provenance: Provenance | undefined): {
  readonly instructions: readonly PromptSegment[];
  readonly messages: readonly ComposedMessage[];
} {
  if (provenance === undefined) return { instructions: [], messages: [] };
  const { prompt, parts, messages } = provenance;
  const all = messages.map(({ role, start, end }) => ({
    role,
    text: prompt.slice(start, end),
    segments: parts
      .filter((part) => part.start !== undefined && part.start >= start && (part.end ?? 0) <= end)
      .map((part) => partSegment(part, role)),
  }));
  const isInstruction = ({ role }: { readonly role: string }): boolean => role !== "user";
  return {
    instructions: all.filter(isInstruction).flatMap(({ segments }) => segments),
    messages: all.filter((message) => !isInstruction(message)),
  };
}

function partSegment(
  { start, end, startByte, endByte, text, ...names }: RangedPart,
  role: string,
): PromptSegment {
  return { ...names, text, role, range: { start, end, startByte, endByte } };
}

/** The history, its last turn in the program's own parts where it composed it. */
function conversation(
  session: Session,
  input: readonly PlacedStep[],
  messages: readonly ComposedMessage[],
): readonly PromptSegment[] {
  const lastUser = input.findLastIndex(({ step }) => step.label === "user_message");
  const left = [...messages];
  const called = new Set<Step>();
  const segments = input.flatMap((placed, at): readonly PromptSegment[] => {
    if (placed.step.label === POLICY) return [snapshotSegment(session, placed)];
    // A thought that was given to the tool stands there as the call, then as what the tool answered.
    if (called.has(placed.step)) {
      const text = textOf(placed.step.payload_completed?.["result"]);
      return [{ type: "tool_output", text, step: placed, role: "tool" }];
    }
    if (placed.step.label === "thought") called.add(placed.step);
    const text = textOfStep(placed.step);
    const known = left.findIndex((message) => message.text === text);
    if (placed.step.label === "user_message" && known >= 0) {
      return left
        .splice(known, 1)
        .flatMap((message) => message.segments.map((segment) => ({ ...segment, step: placed })));
    }
    const type = typeOf(placed.step, at === lastUser);
    return [{ type, text, step: placed, role: roleOf(placed.step) }];
  });
  return [...segments, ...left.flatMap((message) => message.segments)];
}

function typeOf({ label }: Step, isLast: boolean): string {
  if (label === "tool_output" || label === "tool_error") return "tool_output";
  return isLast ? "user_instruction" : "history";
}

function roleOf({ label }: Step): string {
  if (label === "user_message") return "user";
  return label === "tool_output" || label === "tool_error" ? "tool" : "assistant";
}

function snapshotSegment(session: Session, placed: PlacedStep): PromptSegment {
  const { step } = placed;
  const isTools = step.label === "tool.schemas.snapshot";
  return {
    type: isTools ? TOOL_SCHEMAS : "policy",
    text: snapshotText(wholeSnapshot(session.conversations, step)),
    step: placed,
    id: step.step_id,
    role: "system",
  };
}

/** A snapshot's content stands in the first run that uses it. */
function wholeSnapshot(runs: readonly Run[], snapshot: Step): Step {
  for (const { steps } of runs) {
    for (const step of steps) {
      if (step.step_id !== snapshot.step_id) continue;
      const { content, schemas } = step.payload_started ?? {};
      if (content !== undefined || schemas !== undefined) return step;
    }
  }
  return snapshot;
}

function snapshotText({ payload_started: payload = {} }: Step): string {
  return textOf(
    payload["schemas"] ??
      payload["content"] ??
      payload["content_preview"] ??
      payload["schemas_preview"] ??
      "",
  );
}

/** What of a step a model is sent. */
function textOfStep({
  label,
  payload_started: started,
  payload_completed: completed,
}: Step): string {
  switch (label) {
    case "tool_call":
      return `${textOf(started?.["name"])} ${textOf(started?.["args"] ?? started?.["args_text"])}`;
    case "thought":
      return textOf(started?.["thought"]);
    case "tool_output":
    case "tool_error":
      return textOf(completed?.["result"] ?? completed?.["error"]);
    default:
      return textOf(started?.["text"] ?? completed?.["text"] ?? started?.["content"]);
  }
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
