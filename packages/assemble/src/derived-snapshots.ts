import { createHash } from "node:crypto";
import { isShort, preview } from "@thoughtflow/schema/preview";
import { type PromptMakeup, wordsOf } from "@thoughtflow/semconv";
import { isInstruction } from "@thoughtflow/workflow";
import { briefKey } from "./brief-key.ts";
import type { ModelCall } from "./content-reader.ts";
import type { EarlierRuns } from "./earlier-runs.ts";
import { foldHistories, NO_HISTORY } from "./history.ts";
import { membersOf } from "./payload.ts";
import type { MessageSource } from "./read-message.ts";
import { addEdge, createDraft, type RunDraft, type StepDraft } from "./step-draft.ts";

/** The snapshot steps that model calls rest on, each content once for each run. */
export interface Snapshots {
  /** Instructions that nobody composed, and tool schemas. */
  useContent(call: StepDraft, content: ModelCall): void;
  /** A step that the program recorded in the call's run; false where there is none. */
  useRecorded(call: StepDraft, id: string): boolean;
  /** The snapshot that a call rests on for a message with instructions; `undefined` where its program told their parts. */
  usedFor(call: StepDraft, message: MessageSource): StepDraft | undefined;
  /** A part of a composed prompt. */
  usePart(call: StepDraft, kind: SnapshotKind, words: () => string, names: PartNames): void;
}

/** What a program calls a part. */
interface PartNames {
  readonly id?: string;
  readonly version?: string;
}

const PART_LABELS = {
  policy: "policy.snapshot",
  channel: "channel.preamble",
  context: "context.preamble",
  adaptations: "prompt.adaptations",
} as const;

type SnapshotKind = keyof typeof PART_LABELS;

/** What it means that a step's words are part of a prompt, where the step is no snapshot. */
const EDGE_TYPES: ReadonlyMap<string, string> = new Map([
  ["user_message", "responds_to"],
  ["assistant_message", "reads"],
  ["tool_output", "reads"],
  ["tool_call", "reads"],
  ["memory_read", "reads"],
  ["retrieval", "reads"],
  ["thought", "reads"],
]);

/** Instructions as a model was given them; the words are read when a snapshot is written. */
interface Instructions {
  readonly version: string;
  readonly words: () => string;
}

type Members = Readonly<Record<string, unknown>>;

/** What a snapshot's step says, the first time that the document says it and later. */
interface Snapshot {
  readonly label: string;
  readonly id: string;
  readonly whole: () => Members;
  readonly previewed: () => Members;
}

/** Whether a step was made by `createSnapshots`. */
export function isSnapshot({ id, origin }: StepDraft): boolean {
  return origin === "derived" && id.startsWith("snp_");
}

export function createSnapshots(earlier?: EarlierRuns): Snapshots {
  /** Those whose whole content the document holds already. */
  const told = earlier?.toldSnapshots ?? new Set();
  const ofRuns = new Map<RunDraft, Map<string, StepDraft>>();
  const versions = new Map<string, string>();
  const schemasOf = new WeakMap<readonly unknown[], string>();
  const instructionsOf = foldHistories<readonly Instructions[]>([], (before, message, source) =>
    isInstruction(message) ? [...before, ...instructions(wordsReader(source))] : before,
  );

  function use(call: StepDraft, one: Snapshot): void {
    const known = stepsOf(call.run);
    const { id } = one;
    const step = known.get(id) ?? snapshot(call, one, RANK + call.edges.length);
    known.set(id, step);
    addEdge(call, { to: step, type: "uses_snapshot", origin: "observed", evidence: id });
  }

  function snapshot(call: StepDraft, one: Snapshot, rank: number): StepDraft {
    const { run, span, moment, started } = call;
    const { label, id, previewed, whole } = one;
    const payload = told.has(id) ? previewed : whole;
    told.add(id);
    return createDraft(
      { run, id, label, origin: "derived", span, moment: { ...moment, rank } },
      {
        started,
        ended: started,
        status: "ok",
        parent: call.parent,
        ...(label === PART_LABELS.adaptations
          ? { payloadCompleted: payload }
          : { payloadStarted: payload }),
      },
    );
  }

  /** By id; a snapshot that the program recorded is among them. */
  function stepsOf(run: RunDraft): Map<string, StepDraft> {
    const known = ofRuns.get(run) ?? new Map(run.steps.map((step) => [step.id, step]));
    const isNew = !ofRuns.has(run) && !run.isEarlier;
    for (const step of isNew ? (earlier?.snapshotsOf(run) ?? []) : []) known.set(step.id, step);
    ofRuns.set(run, known);
    return known;
  }

  /** The latest recorded list of adaptations that includes one. */
  function adaptationsWith(run: RunDraft, id: string): StepDraft | undefined {
    return run.steps.findLast(({ label, payloadCompleted }) => {
      if (label !== PART_LABELS.adaptations) return false;
      const included = membersOf(payloadCompleted)?.["included_ids"];
      return Array.isArray(included) && included.includes(id);
    });
  }

  function versionOf(text: string): string {
    const key = briefKey(text);
    const version = versions.get(key) ?? shortHash(text);
    versions.set(key, version);
    return version;
  }

  function instructions(words: () => string): readonly Instructions[] {
    const text = words();
    return text === "" ? [] : [{ version: versionOf(text), words }];
  }

  function schemasVersion(tools: readonly unknown[]): string {
    const version = schemasOf.get(tools) ?? versionOf(JSON.stringify(tools));
    schemasOf.set(tools, version);
    return version;
  }

  function usePolicies(
    call: StepDraft,
    given: readonly Instructions[],
    { prompt }: ModelCall,
  ): void {
    const composed = new Set(composedTexts(prompt).map(versionOf));
    const distinct = new Map(given.map((one) => [one.version, one]));
    for (const one of distinct.values())
      if (!composed.has(one.version)) use(call, textSnapshot("policy", one.version, one));
  }

  return {
    useContent(call, content) {
      const { input = NO_HISTORY, tools } = content;
      const given = [...instructions(systemReader(content)), ...instructionsOf(input)];
      if (given.length > 0) usePolicies(call, given, content);
      if (tools.length > 0) use(call, toolsSnapshot(schemasVersion(tools), content));
    },
    useRecorded(call, id) {
      const step = stepsOf(call.run).get(id) ?? adaptationsWith(call.run, id);
      if (step === undefined) return false;
      const type = EDGE_TYPES.get(step.label) ?? "uses_snapshot";
      addEdge(call, { to: step, type, origin: "declared", evidence: "prompt part" });
      return true;
    },
    usedFor(call, message) {
      const [one] = instructions(wordsReader(message));
      const step = one && stepsOf(call.run).get(idOf("policy", one.version));
      return call.edges.some(({ to }) => to === step) ? step : undefined;
    },
    usePart(call, kind, words, { id, version }) {
      const [part] = instructions(words);
      if (part === undefined) return;
      const names = { words, version: version ?? part.version, ...(id !== undefined && { id }) };
      use(call, textSnapshot(kind, part.version, names));
    },
  };
}

function systemReader(content: ModelCall): () => string {
  return () => wordsOf(content.system);
}

function wordsReader(source: MessageSource): () => string {
  return () => wordsOf(source.message?.parts ?? []);
}

function textSnapshot(
  kind: SnapshotKind,
  hash: string,
  { version, words, id }: Instructions & PartNames,
): Snapshot {
  const payload = (isWhole: boolean): Members => {
    const text = words();
    return {
      version,
      content_preview: preview(text),
      ...(isWhole && !isShort(text) && { content: text }),
      ...(kind === "adaptations" && id !== undefined && { included_ids: [id] }),
      ...(kind === "adaptations" && { content_length: text.length, modifiable: true }),
    };
  };
  return {
    label: PART_LABELS[kind],
    id: idOf(kind, hash),
    whole: () => payload(true),
    previewed: () => payload(false),
  };
}

function idOf(kind: SnapshotKind, hash: string): string {
  return `snp_${kind}_${hash}`;
}

function toolsSnapshot(version: string, content: ModelCall): Snapshot {
  return {
    label: "tool.schemas.snapshot",
    id: `snp_tools_${version}`,
    whole: () => ({ ...schemasPreview(version, content.tools), schemas: content.tools }),
    previewed: () => schemasPreview(version, content.tools),
  };
}

function schemasPreview(version: string, tools: readonly unknown[]): Members {
  return {
    version,
    count: tools.length,
    names: tools.map(nameOf),
    schemas_preview: preview(JSON.stringify(tools)),
  };
}

/** The instructions whose parts the program told. */
function composedTexts(prompt: PromptMakeup | undefined): readonly string[] {
  if (prompt === undefined) return [];
  const { final_prompt: whole, messages, parts } = prompt;
  const told = messages.filter(({ start, end }) =>
    parts.some(
      (part) =>
        part.type !== "unattributed" && (part.start ?? -1) >= start && (part.end ?? 0) <= end,
    ),
  );
  return told.map(({ start, end }) => whole.slice(start, end));
}

/** Snapshots stand before everything else that a call rests on. */
const RANK = -1_000_000_000;

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function nameOf(tool: unknown): string {
  if (typeof tool !== "object" || tool === null) return "";
  const { name, type } = tool as Record<string, unknown>;
  return typeof name === "string" ? name : String(type ?? "");
}
