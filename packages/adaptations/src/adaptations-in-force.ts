import type { KeyObject } from "node:crypto";
import { basename } from "node:path";
import { type Adaptation, catalogueFrom, withEdits } from "./adaptation.ts";
import { type AdaptationFiles, editsText, textOfFile, writeEdits } from "./adaptation-files.ts";
import { readState } from "./adaptation-log.ts";
import { type AdaptationState, stateOf } from "./adaptation-state.ts";
import { withLock } from "./lock.ts";
import { versionOf } from "./version.ts";

/** Where adaptations come from, and who is told of what is ignored. */
export interface AdaptationSources {
  readonly files: AdaptationFiles;
  readonly approver: KeyObject | undefined;
  /** A program's own catalogue; without one that of the file, as it is signed. */
  readonly catalogue: readonly Adaptation[] | undefined;
  warn(text: string): void;
}

/** What applies, as the files say it. */
export interface AdaptationsInForce {
  readonly items: readonly Adaptation[];
  /** Of the items. */
  readonly version: string;
  readonly state: AdaptationState;
  /** Reads the files again. What can't be read or isn't signed changes nothing, and is warned of. */
  read(): void;
}

/** What applies in a directory; nothing until it is read. */
export function adaptationsInForce(sources: AdaptationSources): AdaptationsInForce {
  const { files, approver, warn } = sources;
  let catalogue = sources.catalogue ?? [];
  let state = stateOf("", undefined);
  let items: readonly Adaptation[] = [];
  let version = "";

  function attempt(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      warn(`${what} can't be read, what applied stays: ${(error as Error).message}`);
    }
  }

  function readLog(): void {
    const next = readState(files, approver);
    if (state.signed.some((hash, at) => next.signed[at] !== hash)) {
      warn(`${files.audit} lost signed lines: what was in force stays`);
      return;
    }
    for (const { line, text } of next.problems) warn(`${files.audit}, line ${line}: ${text}`);
    const before = editsText(state.edits);
    state = next;
    attempt("edits.json", () => showEdits(before));
  }

  /** `edits.json` says what the log comes to; one that says something else goes into quarantine. */
  function showEdits(before: string): void {
    const text = editsText(state.edits);
    const found = textOfFile(files.edits);
    if (found === text || (state.entries.length === 0 && found === "")) return;
    const aside = withLock(files.dir, () => writeEdits(files, text, before));
    if (aside === undefined) return;
    warn(
      `${files.edits} did not say what was approved: it is ${basename(aside)} in .quarantine now, and nothing changed. To change an adaptation: thoughtflow adapt edit`,
    );
  }

  function readCatalogue(): void {
    const text = textOfFile(files.catalogue);
    if (text === "") return;
    const found = catalogueFrom(JSON.parse(text));
    if (approver === undefined || versionOf(found) === state.catalogue) catalogue = found;
    else
      warn(
        `${files.catalogue} is not signed as it is, what applied stays. To sign it: thoughtflow adapt approve catalogue`,
      );
  }

  return {
    get items() {
      return items;
    },
    get version() {
      return version;
    },
    get state() {
      return state;
    },
    read() {
      attempt("the log of adaptations", readLog);
      if (sources.catalogue === undefined) attempt("the catalogue of adaptations", readCatalogue);
      items = withEdits(catalogue, state.edits);
      version = versionOf(items);
    },
  };
}
