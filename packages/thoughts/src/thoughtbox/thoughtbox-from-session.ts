import type { Run, Session, Step } from "@thoughtflow/schema";
import { confidenceValue } from "@thoughtflow/schema/steps";
import { countFrom } from "../thought-count.ts";
import { titleFrom } from "../title.ts";
import { fromExact } from "./exact-values.ts";
import { OWN_FIELDS } from "./own-fields.ts";
import { isObject } from "./read-thoughtbox.ts";

/** Types of `think_aloud` that Thoughtbox doesn't know, as the nearest that it does. */
const TYPES: Readonly<Record<string, string>> = {
  planning: "reasoning",
  observation: "reasoning",
  reflection: "reasoning",
  critique: "reasoning",
};

/** The session status of each of ours. */
const STATUS: Readonly<Record<string, string>> = {
  active: "active",
  running: "active",
  completed: "completed",
  error: "completed",
  aborted: "abandoned",
  abandoned: "abandoned",
};

/**
 * The thoughts of a session as a Thoughtbox session. One that came from there goes back as it was, field by field; of
 * others `id`, `thoughtType`, `totalThoughts` and so on are made of ours, and what Thoughtbox has no field for stands in
 * `metadata`.
 */
export function thoughtboxFromSession(session: Session): unknown {
  const steps = session.conversations.flatMap((run) =>
    run.steps.filter(({ label }) => label === "thought").map((step) => ({ run, step })),
  );
  const origin = session.conversations.map(importedFrom).find((found) => found !== undefined);
  const greatest = steps.reduce((most, { step }) => Math.max(most, numberOf(step) ?? 0), 0);
  const thoughts = inFileOrder(steps).map(({ run, step }, index) =>
    importedFrom(run) === undefined
      ? thoughtFrom(step, {
          totalThoughts: greatest,
          isLast: index === steps.length - 1 && session.status !== "active",
        })
      : originalOf(step),
  );
  const { form, envelope } = origin ?? {
    form: "thoughts",
    envelope: { session: about(session, steps) },
  };
  if (form === "list") return thoughts;
  if (form !== "nodes") return { ...envelope, thoughts };
  const nodes = inFileOrder(steps).map(({ step }, at) => nodeFrom(step, thoughts[at] ?? {}));
  return { ...envelope, nodes };
}

/** As the file listed them. */
function inFileOrder<T extends { readonly step: Step }>(steps: readonly T[]): readonly T[] {
  const positions = new Map(
    steps.map((one, at) => [one, countedFrom0(keptOf(one.step)["position"]) ?? at]),
  );
  return steps.toSorted((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0));
}

function countedFrom0(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** What a thought keeps of the file that it was imported from, besides its fields. */
function keptOf({ payload_started: payload }: Step): Readonly<Record<string, unknown>> {
  const kept = payload?.["thoughtbox"];
  return isObject(kept) ? kept : {};
}

/** What a run keeps of the file that it was imported from. */
interface KeptFile {
  readonly form: unknown;
  readonly envelope: Readonly<Record<string, unknown>>;
}

function importedFrom({ initial_state: state }: Run): KeptFile | undefined {
  const kept = isObject(state) ? state["thoughtbox"] : undefined;
  if (!isObject(kept) || !isObject(kept["envelope"])) return undefined;
  return {
    form: kept["form"],
    envelope: fromExact(structuredClone(kept["envelope"]), kept["envelope_pieces"]),
  };
}

function originalOf(step: Step): Record<string, unknown> {
  const { fields, pieces, is_numbered: isNumbered } = keptOf(step);
  const own = Object.entries(step.payload_started ?? {}).filter(
    ([name]) => !OWN_FIELDS.has(name) && !(isNumbered === false && name === "thoughtNumber"),
  );
  const thought = { ...Object.fromEntries(own), ...(isObject(fields) && fields) };
  return pieces === undefined ? thought : fromExact(structuredClone(thought), pieces);
}

function nodeFrom(step: Step, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { node, node_pieces: pieces } = keptOf(step);
  const around = isObject(node) ? fromExact(structuredClone(node), pieces) : { id: data["id"] };
  return { ...around, data };
}

function about(session: Session, steps: readonly { readonly step: Step }[]): object {
  const branches = new Set(
    steps.map(({ step }) => step.payload_started?.["branchId"]).filter((id) => id !== undefined),
  );
  const { title, tags, started_at: createdAt, ended_at: completedAt } = session;
  const status = STATUS[session.status ?? "completed"] ?? "completed";
  return {
    id: session.session_id,
    ...(title !== undefined && { title }),
    tags: tags ?? [],
    status,
    ...(createdAt !== undefined && { createdAt }),
    ...(status === "completed" && completedAt !== undefined && { completedAt }),
    thoughtCount: steps.length,
    branchCount: branches.size,
  };
}

function thoughtFrom(
  step: Step,
  { totalThoughts, isLast }: { readonly totalThoughts: number; readonly isLast: boolean },
): Record<string, unknown> {
  const { payload_started: payload = {} } = step;
  const {
    thought_id: id = step.step_id,
    thought_type: type = "reasoning",
    thought = "",
    confidence,
    alternatives,
    related_to: relatedTo,
    verbosity,
    ...rest
  } = payload;
  const choices = Array.isArray(alternatives) ? alternatives : [];
  const isChoice = type === "decision" && choices.length > 0;
  const level = levelOf(confidence);
  const metadata = {
    ...(typeof type === "string" && (isChoice || type in TYPES) && { thought_type: type }),
    ...(level !== confidence && { confidence }),
    ...(!isChoice && choices.length > 0 && { alternatives }),
    ...(relatedTo !== undefined && { related_to: relatedTo }),
    ...(verbosity !== undefined && { verbosity }),
  };
  return {
    id,
    thoughtNumber: numberOf(step),
    totalThoughts,
    thought,
    ...(step.started_at !== undefined && { timestamp: step.started_at }),
    nextThoughtNeeded: !isLast,
    thoughtType: isChoice ? "decision_frame" : (TYPES[String(type)] ?? type),
    ...(isChoice && { options: optionsOf(String(thought), choices) }),
    ...(level !== undefined && { confidence: level }),
    ...rest,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** The decision itself is the option that was selected. */
function optionsOf(thought: string, alternatives: readonly unknown[]): readonly object[] {
  return [
    { label: titleFrom(thought) ?? "the decision", selected: true },
    ...alternatives.map((label) => ({ label: String(label), selected: false })),
  ];
}

/** Thoughtbox knows three levels. */
function levelOf(confidence: unknown): "high" | "medium" | "low" | undefined {
  const value = confidenceValue(confidence);
  if (value === undefined) return undefined;
  if (value >= 0.75) return "high";
  return value >= 0.45 ? "medium" : "low";
}

function numberOf({ payload_started: payload }: Step): number | undefined {
  return countFrom(payload?.["thoughtNumber"]);
}
