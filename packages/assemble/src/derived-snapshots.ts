import { createHash } from "node:crypto";
import { isShort, preview } from "@thoughtflow/schema/preview";
import type { GenAiMessage } from "@thoughtflow/semconv";
import type { ModelCall } from "./content-reader.ts";
import { foldHistories, NO_HISTORY } from "./history.ts";
import { addEdge, createDraft, type RunDraft, type StepDraft } from "./step-draft.ts";
import { wordsOf } from "./words-of.ts";

/** Makes the snapshot steps that model calls rest on: instructions and tool schemas, once for each run. */
export function createSnapshots(): (call: StepDraft, content: ModelCall) => void {
  /** Snapshots whose whole content the document holds already. */
  const told = new Set<string>();
  const ofRuns = new Map<RunDraft, Map<string, StepDraft>>();
  const versions = new Map<string, string>();
  const schemasOf = new WeakMap<readonly unknown[], string>();
  const instructionsOf = foldHistories<readonly string[]>([], (texts, message) =>
    isInstruction(message) ? [...texts, wordsOf(message.parts)] : texts,
  );

  function use(
    call: StepDraft,
    label: string,
    id: string,
    payload: Record<string, unknown>,
    rank: number,
  ): void {
    const known = stepsOf(call.run);
    const step = known.get(id) ?? snapshot(call, label, id, payload, rank);
    known.set(id, step);
    addEdge(call, { to: step, type: "uses_snapshot", origin: "observed", evidence: id });
  }

  function snapshot(
    call: StepDraft,
    label: string,
    id: string,
    payload: Record<string, unknown>,
    rank: number,
  ): StepDraft {
    const { run, span, moment, started } = call;
    const { content, schemas, ...previewed } = payload;
    const whole = told.has(id) ? previewed : { ...payload };
    told.add(id);
    return createDraft(
      { run, id, label, origin: "derived", span, moment: { ...moment, rank } },
      { started, ended: started, status: "ok", parent: call.parent, payloadStarted: whole },
    );
  }

  /** By id; a snapshot that the program recorded is among them. */
  function stepsOf(run: RunDraft): Map<string, StepDraft> {
    const known = ofRuns.get(run) ?? new Map(run.steps.map((step) => [step.id, step]));
    ofRuns.set(run, known);
    return known;
  }

  function versionOf(text: string): string {
    const version = versions.get(text) ?? shortHash(text);
    versions.set(text, version);
    return version;
  }

  function schemasText(tools: readonly unknown[]): string {
    const text = schemasOf.get(tools) ?? JSON.stringify(tools);
    schemasOf.set(tools, text);
    return text;
  }

  return (call, { system, input = NO_HISTORY, tools }) => {
    const texts = [wordsOf(system), ...instructionsOf(input)].filter((text) => text !== "");
    for (const [i, text] of [...new Set(texts)].entries()) {
      const version = versionOf(text);
      const payload = {
        version,
        content_preview: preview(text),
        ...(!isShort(text) && { content: text }),
      };
      use(call, "policy.snapshot", `snp_policy_${version}`, payload, RANK + i);
    }
    if (tools.length === 0) return;
    const schemas = schemasText(tools);
    const version = versionOf(schemas);
    const payload = {
      version,
      count: tools.length,
      names: tools.map(nameOf),
      schemas_preview: preview(schemas),
      schemas: tools,
    };
    use(call, "tool.schemas.snapshot", `snp_tools_${version}`, payload, RANK + texts.length);
  };
}

/** Snapshots stand before everything else that a call rests on. */
const RANK = -1_000_000_000;

function isInstruction({ role }: GenAiMessage): boolean {
  return role === "system" || role === "developer";
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function nameOf(tool: unknown): string {
  if (typeof tool !== "object" || tool === null) return "";
  const { name, type } = tool as Record<string, unknown>;
  return typeof name === "string" ? name : String(type ?? "");
}
