import type { KeyObject } from "node:crypto";
import { preview } from "@thoughtflow/schema/preview";
import { type PromptPart, recordStep } from "@thoughtflow/tracing";
import {
  type Adaptation,
  type AdaptationEdit,
  type AdaptationScope,
  catalogueFrom,
  includedIn,
  isFor,
  LIMITS,
  problemOfEdit,
} from "./adaptation.ts";
import { adaptationFiles } from "./adaptation-files.ts";
import { applyByPolicy, propose } from "./adaptation-log.ts";
import { adaptationsInForce } from "./adaptations-in-force.ts";
import { approverFrom } from "./audit-entry.ts";
import { versionOf } from "./version.ts";
import { watchFiles } from "./watch-files.ts";

/** Where adaptations are kept, who may change them, and what there is to adapt. */
export interface AdaptationsOptions {
  /** Of `catalogue.json`, `edits.json` and `audit.jsonl`: `<flow directory>/adaptations`. */
  readonly dir: string;
  /** What there is to adapt; default: `catalogue.json`, which the approver has to have signed where there is one. */
  readonly catalogue?: readonly Adaptation[];
  /**
   * The approver's public key, PEM. It belongs into the program or its deployment, where the agent can't write: whoever
   * may choose it decides. Without one the catalogue applies as it is.
   */
  readonly approver?: string;
  /** Whether changes of the files are taken up as they happen. Default true. */
  readonly watch?: boolean;
  /** How long the files have to be still before they are read again, nine times at most. Default 100. */
  readonly debounceMs?: number;
  /** Told of what is ignored or put aside. Default: a process warning, once for each text. */
  readonly warn?: (text: string) => void;
}

/** The text that enabled items of a scope make, and which items are in it, in its order. */
export interface AdaptationPreview {
  readonly text: string;
  readonly included_ids: readonly string[];
  readonly content_length: number;
}

/** A tool's answer that is none. */
export interface AdaptationRefusal {
  readonly error: "not_found" | "invalid" | "forbidden";
  readonly message: string;
}

/** An item as `list_adaptations` tells it: all but its content. */
export interface AdaptationSummary {
  readonly id: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly scope: AdaptationScope;
  readonly tags: readonly string[];
}

/** The adaptations of a program: what prompts say by them, and the five functions that tools are made of. */
export interface Adaptations {
  /** Those for a scope, or all, in the catalogue's order. */
  list(scope?: AdaptationScope): {
    readonly items: readonly AdaptationSummary[];
    readonly version: string;
  };
  get(id: string): { readonly item: Adaptation } | AdaptationRefusal;
  /** Proposes an edit; where a signed policy allows it, makes it. */
  update(
    id: string,
    edit: AdaptationEdit,
    reason?: string,
  ):
    | {
        readonly status: "updated" | "proposed";
        readonly item: Adaptation;
        readonly proposal_id?: string;
      }
    | AdaptationRefusal;
  reload(): { readonly status: "reloaded"; readonly version: string };
  /** What a prompt would say: the contents of the enabled items, each on lines of its own. */
  preview(scope?: AdaptationScope): AdaptationPreview;
  /**
   * The parts of a prompt, one for each enabled item, named by its id and version; records a step
   * `prompt.adaptations` that the model call rests on. Empty where nothing is enabled.
   */
  promptParts(scope?: AdaptationScope): readonly PromptPart[];
  close(): void;
}

const DEBOUNCE_MS = 100;

/**
 * Opens the adaptations of a directory. Files that are missing, broken or not signed never keep a program from starting:
 * what is sure applies, and the rest is warned of.
 *
 * @throws Error when the approver's key is none, or the catalogue that the program gives is wrong.
 */
export function openAdaptations(options: AdaptationsOptions): Adaptations {
  const { dir, debounceMs = DEBOUNCE_MS, warn = warnOnce() } = options;
  const files = adaptationFiles(dir);
  const approver: KeyObject | undefined =
    options.approver === undefined ? undefined : approverFrom(options.approver);
  const catalogue = options.catalogue && catalogueFrom(options.catalogue);
  const inForce = adaptationsInForce({ files, approver, catalogue, warn });

  function included(scope: AdaptationScope): readonly Adaptation[] {
    const { included, leftOut } = includedIn(inForce.items, scope);
    for (const { id } of leftOut)
      warn(`adaptations are longer than ${LIMITS.text} characters: ${id} is left out`);
    return included;
  }

  function previewOf(scope: AdaptationScope = {}): AdaptationPreview {
    const some = included(scope);
    const text = some.map(({ content }) => content).join("\n");
    return { text, included_ids: some.map(({ id }) => id), content_length: text.length };
  }

  function find(id: string): Adaptation | undefined {
    return inForce.items.find((one) => one.id === id);
  }

  inForce.read();
  const stop = options.watch === false ? () => {} : watchFiles(dir, debounceMs, inForce.read);

  return {
    list: (scope = {}) => ({
      items: inForce.items
        .filter((item) => isFor(item, scope))
        .map(({ id, title, enabled, scope: own, tags = [] }) => ({
          id,
          title,
          enabled,
          scope: own,
          tags,
        })),
      version: inForce.version,
    }),
    get(id) {
      const item = find(id);
      return item === undefined ? notFound(id) : { item };
    },
    update(id, edit, reason) {
      const item = find(id);
      if (item === undefined) return notFound(id);
      const { title, content, enabled } = edit;
      const wanted = {
        ...(title !== undefined && { title }),
        ...(content !== undefined && { content }),
        ...(enabled !== undefined && { enabled }),
      };
      const problem = problemOfEdit(wanted);
      if (problem !== undefined) return { error: "invalid", message: problem };
      try {
        if (inForce.state.auto.has(id)) {
          applyByPolicy(files, approver, id, wanted);
          inForce.read();
          return { status: "updated", item: find(id) ?? item };
        }
        const proposal_id = propose(
          files,
          approver,
          id,
          wanted,
          reason === undefined ? {} : { reason },
        );
        return { status: "proposed", item: { ...item, ...wanted }, proposal_id };
      } catch (error) {
        return { error: "forbidden", message: `it can't be written: ${(error as Error).message}` };
      }
    },
    reload() {
      inForce.read();
      return { status: "reloaded", version: inForce.version };
    },
    preview: previewOf,
    promptParts(scope = {}) {
      const some = included(scope);
      if (some.length === 0) return [];
      const { text, ...told } = previewOf(scope);
      const own = versionOf(some.map(({ id, content }) => [id, content]));
      recordStep({
        label: "prompt.adaptations",
        id: `snp_adaptations_${own}`,
        output: { version: own, ...told, content_preview: preview(text), scope, modifiable: true },
      });
      return some.map(({ id, content }) => ({
        type: "prompt_adaptations",
        id,
        version: versionOf(content),
        value: content,
      }));
    },
    close: stop,
  };
}

function notFound(id: unknown): AdaptationRefusal {
  return {
    error: "not_found",
    message: `there is no adaptation ${String(id)}; list_adaptations names them`,
  };
}

function warnOnce(): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    process.emitWarning(text, { type: "ThoughtFlowWarning", code: "THOUGHTFLOW_ADAPTATIONS" });
  };
}
