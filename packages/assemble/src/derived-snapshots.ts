import { createHash } from "node:crypto";
import { isShort, preview } from "@thoughtflow/schema/preview";
import type { ModelCall } from "./content-reader.ts";
import { addEdge, createDraft, type RunDraft, type StepDraft } from "./step-draft.ts";
import { wordsOf } from "./words-of.ts";

/** Makes the snapshot steps that model calls rest on: instructions and tool schemas, once for each run. */
export function createSnapshots(): (call: StepDraft, content: ModelCall) => void {
  /** Snapshots whose whole content the document holds already. */
  const told = new Set<string>();

  function use(
    call: StepDraft,
    label: string,
    id: string,
    payload: Record<string, unknown>,
    rank: number,
  ): void {
    const step = known(call.run, id) ?? snapshot(call, label, id, payload, rank);
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

  return (call, { system, input = [], tools }) => {
    const texts = [
      wordsOf(system),
      ...input.filter(isInstruction).map((message) => wordsOf(message.parts)),
    ].filter((text) => text !== "");
    for (const [i, text] of [...new Set(texts)].entries()) {
      const version = shortHash(text);
      const payload = {
        version,
        content_preview: preview(text),
        ...(!isShort(text) && { content: text }),
      };
      use(call, "policy.snapshot", `snp_policy_${version}`, payload, RANK + i);
    }
    if (tools.length === 0) return;
    const schemas = JSON.stringify(tools);
    const version = shortHash(schemas);
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

function known(run: RunDraft, id: string): StepDraft | undefined {
  return run.steps.find((step) => step.id === id);
}

function isInstruction({ role }: { readonly role: string }): boolean {
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
