import type { MakeupPart } from "@thoughtflow/semconv";
import { briefKey } from "./brief-key.ts";
import type { ModelCall } from "./content-reader.ts";
import type { Snapshots } from "./derived-snapshots.ts";
import { mergedPayload, type Payload } from "./payload.ts";
import { provenanceFrom, textOfPart } from "./prompt-provenance.ts";
import type { StepDraft } from "./step-draft.ts";

/** The parts of a prompt that live longer than one call, as the kind of snapshot that they are. */
const SNAPSHOT_KINDS: ReadonlyMap<string, "policy" | "channel" | "context" | "adaptations"> =
  new Map([
    ["policy", "policy"],
    ["personality", "policy"],
    ["channel_preamble", "channel"],
    ["context_preamble", "context"],
    ["prompt_adaptations", "adaptations"],
  ]);

/**
 * Says of model calls what their prompts were made of, and lets them rest on the snapshots among the parts: on the
 * step that a part's id names, else on a snapshot of the part's text.
 */
export function createPrompts(snapshots: Snapshots): (call: StepDraft, content: ModelCall) => void {
  /** The first call with each prompt. */
  const told = new Map<string, StepDraft>();

  return (call, content) => {
    const { prompt } = content;
    if (prompt === undefined) return;
    const key = briefKey(prompt.final_prompt);
    const first = told.get(key);
    if (first === undefined) told.set(key, call);
    const provenance = provenancePayload(content, first && nameOf(first, call));
    call.payloadStarted = mergedPayload(call.payloadStarted, provenance);
    for (const [place, part] of prompt.parts.entries())
      restOn(call, part, partReader(content, place));
  };

  function restOn(call: StepDraft, part: MakeupPart, words: () => string): void {
    const { type, id } = part;
    if (id !== undefined && snapshots.useRecorded(call, id)) return;
    const kind = SNAPSHOT_KINDS.get(type);
    if (kind !== undefined) snapshots.usePart(call, kind, words, part);
  }
}

function provenancePayload(content: ModelCall, first: string | undefined): Payload {
  return () => {
    const { prompt } = content;
    return prompt && { prompt_provenance: provenanceFrom(prompt, first) };
  };
}

function partReader(content: ModelCall, place: number): () => string {
  return () => {
    const { prompt } = content;
    const part = prompt?.parts[place];
    return prompt === undefined || part === undefined ? "" : textOfPart(prompt.final_prompt, part);
  };
}

function nameOf(first: StepDraft, call: StepDraft): string {
  return first.run.id === call.run.id ? first.id : `${first.run.id}/${first.id}`;
}
