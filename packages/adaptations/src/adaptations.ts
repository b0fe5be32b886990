import type { KeyObject } from "node:crypto";
import { type FSWatcher, mkdirSync, watch } from "node:fs";
import { basename } from "node:path";
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
  withEdits,
} from "./adaptation.ts";
import {
  adaptationFiles,
  editsText,
  textOfFile,
  withLock,
  writeEdits,
} from "./adaptation-files.ts";
import { applyByPolicy, propose, readState } from "./adaptation-log.ts";
import { type AdaptationState, stateOf } from "./adaptation-state.ts";
import { approverFrom } from "./audit-entry.ts";
import { versionOf } from "./version.ts";

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
/** How often a change may put off the reading of those before it: nine times 100 ms are less than a second. */
const MOST_POSTPONED = 8;

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
  let catalogue: readonly Adaptation[] =
    options.catalogue === undefined ? [] : catalogueFrom(options.catalogue);
  let state: AdaptationState = stateOf("", undefined);
  let items: readonly Adaptation[] = [];
  let version = "";

  function read(): void {
    attempt("the log of adaptations", () => {
      const next = readState(files, approver);
      if (state.signed.some((hash, at) => next.signed[at] !== hash)) {
        warn(`${files.audit} lost signed lines: what was in force stays`);
        return;
      }
      for (const { line, text } of next.problems) warn(`${files.audit}, line ${line}: ${text}`);
      const before = editsText(state.edits);
      state = next;
      attempt("edits.json", () => {
        const text = editsText(next.edits);
        if (
          textOfFile(files.edits) === text ||
          (next.entries.length === 0 && textOfFile(files.edits) === "")
        )
          return;
        const aside = withLock(files, () => writeEdits(files, text, before));
        if (aside !== undefined) {
          warn(
            `${files.edits} did not say what was approved: it is ${basename(aside)} in .quarantine now, and nothing changed. To change an adaptation: thoughtflow adapt edit`,
          );
        }
      });
    });
    readCatalogue();
    items = withEdits(catalogue, state.edits);
    version = versionOf(items);
  }

  function readCatalogue(): void {
    if (options.catalogue !== undefined) return;
    attempt("the catalogue of adaptations", () => {
      const text = textOfFile(files.catalogue);
      if (text === "") return;
      const found = catalogueFrom(JSON.parse(text));
      if (approver === undefined || versionOf(found) === state.catalogue) catalogue = found;
      else
        warn(
          `${files.catalogue} is not signed as it is, what applied stays. To sign it: thoughtflow adapt approve catalogue`,
        );
    });
  }

  function attempt(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      warn(`${what} can't be read, what applied stays: ${(error as Error).message}`);
    }
  }

  function included(scope: AdaptationScope): readonly Adaptation[] {
    const { included, leftOut } = includedIn(items, scope);
    for (const { id } of leftOut)
      warn(`adaptations are longer than ${LIMITS.text} characters: ${id} is left out`);
    return included;
  }

  function previewOf(scope: AdaptationScope = {}): AdaptationPreview {
    const some = included(scope);
    const text = some.map(({ content }) => content).join("\n");
    return { text, included_ids: some.map(({ id }) => id), content_length: text.length };
  }

  read();
  const stop = options.watch === false ? () => {} : watchFiles(dir, debounceMs, read);

  return {
    list: (scope = {}) => ({
      items: items
        .filter((item) => isFor(item, scope))
        .map(({ id, title, enabled, scope: own, tags = [] }) => ({
          id,
          title,
          enabled,
          scope: own,
          tags,
        })),
      version,
    }),
    get(id) {
      const item = items.find((one) => one.id === id);
      return item === undefined ? notFound(id) : { item };
    },
    update(id, edit, reason) {
      const item = items.find((one) => one.id === id);
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
        if (state.auto.has(id)) {
          applyByPolicy(files, approver, id, wanted);
          read();
          return { status: "updated", item: items.find((one) => one.id === id) ?? item };
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
      read();
      return { status: "reloaded", version };
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

/** Reads again once the files have been still for a while. Nothing here keeps the process alive. */
function watchFiles(dir: string, debounceMs: number, read: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let postponed = 0;
  let watcher: FSWatcher | undefined;
  const readNow = (): void => {
    timer = undefined;
    postponed = 0;
    read();
  };
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    watcher = watch(dir, { persistent: false }, (_event, name) => {
      if (name === null || !/^(?:catalogue|edits|audit)\.jsonl?$/.test(name)) return;
      // Whoever keeps writing must not keep a program from what a person has decided.
      if (timer !== undefined && ++postponed > MOST_POSTPONED) return;
      clearTimeout(timer);
      timer = setTimeout(readNow, debounceMs).unref();
    });
    watcher.on("error", () => watcher?.close());
  } catch {
    // A directory that can't be watched is read again when somebody asks for it.
  }
  return () => {
    clearTimeout(timer);
    watcher?.close();
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
