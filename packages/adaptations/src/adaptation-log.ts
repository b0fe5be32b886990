import type { KeyObject } from "node:crypto";
import {
  type Adaptation,
  type AdaptationEdit,
  catalogueFrom,
  problemOfEdit,
} from "./adaptation.ts";
import {
  type AdaptationFiles,
  appendLine,
  editsText,
  textOfFile,
  writeEdits,
} from "./adaptation-files.ts";
import { type AdaptationState, type Proposal, stateOf } from "./adaptation-state.ts";
import { type AuditDraft, type AuditEntry, entryAfter } from "./audit-entry.ts";
import { withLock } from "./lock.ts";
import { versionOf } from "./version.ts";

/** Who changes adaptations: the approver with the key, whose public half everybody checks by. */
export interface Approval {
  readonly key: KeyObject;
  readonly approver: KeyObject;
  /** Default: now. */
  readonly at?: string;
  readonly reason?: string;
}

/** The state of a directory's log, as of now. */
export function readState(
  { audit }: AdaptationFiles,
  approver: KeyObject | undefined,
): AdaptationState {
  return stateOf(textOfFile(audit), approver);
}

/** Appends what `draft` makes of the state, and makes `edits.json` say what is in force then. */
function append(
  files: AdaptationFiles,
  approver: KeyObject | undefined,
  draft: (state: AdaptationState) => AuditDraft,
  key?: KeyObject,
): AuditEntry {
  return withLock(files.dir, () => {
    const text = textOfFile(files.audit);
    const state = stateOf(text, approver);
    const entry = entryAfter(state.last, draft(state), key);
    const line = JSON.stringify(entry);
    const now = stateOf(`${text}\n${line}`, approver);
    if (now.entries.at(-1)?.hash !== entry.hash)
      throw new Error(now.problems.at(-1)?.text ?? "it would count for nothing");
    appendLine(files.audit, line, text);
    writeEdits(files, editsText(now.edits), editsText(state.edits));
    return entry;
  });
}

const given = (reason: string | undefined) => reason !== undefined && { reason };

/** Proposes an edit; gives its name. Anybody may. Throws when the edit can't be made. */
export function propose(
  files: AdaptationFiles,
  approver: KeyObject | undefined,
  id: string,
  edit: AdaptationEdit,
  {
    at = new Date().toISOString(),
    reason,
  }: { readonly at?: string; readonly reason?: string } = {},
): string {
  checkEdit(edit);
  const entry = append(files, approver, ({ last }) => {
    const proposal = `p${(last?.seq ?? 0) + 1}`;
    return { at, kind: "proposed", id, proposal, edit, ...given(reason) };
  });
  return entry.proposal ?? "";
}

/** Makes an edit that a signed policy leaves to the agent. Throws where none does. */
export function applyByPolicy(
  files: AdaptationFiles,
  approver: KeyObject | undefined,
  id: string,
  edit: AdaptationEdit,
  at: string = new Date().toISOString(),
): void {
  checkEdit(edit);
  append(files, approver, (state) => {
    return { at, kind: "applied", id, edit: merged(state, id, edit) };
  });
}

/**
 * Puts a proposal into force. Throws when there is none of that name, or it was decided already.
 *
 * @param shown the proposal as the person saw it: throws where the log says something else by now
 */
export function approve(
  files: AdaptationFiles,
  approval: Approval,
  name: string,
  shown?: Proposal,
): void {
  signed(files, approval, (state) => {
    const { proposal, id, edit } = openProposal(state, name);
    if (shown !== undefined && versionOf([id, edit]) !== versionOf([shown.id, shown.edit]))
      throw new Error(`${name} is not what was shown`);
    return { kind: "approved", id, proposal, edit: merged(state, id, edit) };
  });
}

/** Decides against a proposal. */
export function reject(files: AdaptationFiles, approval: Approval, name: string): void {
  signed(files, approval, (state) => {
    const { proposal, id } = openProposal(state, name);
    return { kind: "rejected", id, proposal };
  });
}

/** A person's own edit. */
export function editDirectly(
  files: AdaptationFiles,
  approval: Approval,
  id: string,
  edit: AdaptationEdit,
): void {
  checkEdit(edit);
  signed(files, approval, (state) => ({ kind: "edited", id, edit: merged(state, id, edit) }));
}

/** Takes the last change of an adaptation back. Throws when there is none. */
export function rollBack(files: AdaptationFiles, approval: Approval, id: string): void {
  signed(files, approval, (state) => ({ kind: "rolled_back", id, edit: editBefore(state, id) }));
}

/** What an adaptation's edit was before its last change; `null`: none. Throws when it was never changed. */
export function editBefore({ entries }: AdaptationState, id: string): AdaptationEdit | null {
  const history: (AdaptationEdit | null)[] = [null];
  for (const entry of entries) {
    if (entry.id !== id || entry.edit === undefined || entry.kind === "proposed") continue;
    if (entry.kind === "rolled_back") history.pop();
    else history.push(entry.edit);
  }
  if (history.length < 2) throw new Error(`${id} was never changed: there is nothing to take back`);
  return history.at(-2) ?? null;
}

/** Says which adaptations may change without a person. */
export function setPolicy(
  files: AdaptationFiles,
  approval: Approval,
  auto: readonly string[],
): void {
  signed(files, approval, () => ({ kind: "policy", auto }));
}

/**
 * Signs the catalogue file as it is. Throws where it is none.
 *
 * @param shown the items as the person saw them: throws where the file says something else by now
 */
export function approveCatalogue(
  files: AdaptationFiles,
  approval: Approval,
  shown?: readonly Adaptation[],
): void {
  const items = catalogueFrom(JSON.parse(textOfFile(files.catalogue)));
  if (shown !== undefined && versionOf(shown) !== versionOf(items))
    throw new Error("the catalogue is not what was shown");
  signed(files, approval, () => ({ kind: "catalogue", version: versionOf(items) }));
}

function signed(
  files: AdaptationFiles,
  { key, approver, at = new Date().toISOString(), reason }: Approval,
  draft: (state: AdaptationState) => Omit<AuditDraft, "at">,
): void {
  append(files, approver, (state) => ({ at, ...draft(state), ...given(reason) }), key);
}

/** What an adaptation's edit is once a change is made to what is in force now. */
function merged({ edits }: AdaptationState, id: string, change: AdaptationEdit): AdaptationEdit {
  const { updated_at: _, ...known } = edits.get(id) ?? { updated_at: "" };
  return { ...known, ...change };
}

/** The proposal of a name that waits for a decision. Throws when there is none, or it was decided already. */
export function openProposal({ proposals }: AdaptationState, name: string): Proposal {
  const found = proposals.find(({ proposal }) => proposal === name);
  if (found === undefined) throw new Error(`there is no proposal ${name}`);
  if (found.state !== "proposed") throw new Error(`${name} is decided: ${found.state}`);
  return found;
}

function checkEdit(edit: AdaptationEdit): void {
  const problem = problemOfEdit(edit);
  if (problem !== undefined) throw new Error(problem);
}
