import type { KeyObject } from "node:crypto";
import { type ActiveEdit, type AdaptationEdit, problemOfEdit } from "./adaptation.ts";
import { type AuditEntry, entryFrom, isIntact, isSigned } from "./audit-entry.ts";

/** Somebody wants a change. */
export interface Proposal {
  /** `p` and the number of its line. */
  readonly proposal: string;
  readonly id: string;
  readonly edit: AdaptationEdit;
  readonly at: string;
  readonly reason?: string;
  /** `active`: approved and in force; `superseded`: another change came after it. */
  readonly state: "proposed" | "rejected" | "active" | "superseded" | "rolled_back";
}

/** Something that a reader of the log should know. */
export interface LogProblem {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** What a log comes to. */
export interface AdaptationState {
  readonly edits: ReadonlyMap<string, ActiveEdit>;
  readonly proposals: readonly Proposal[];
  /** Ids that may change without a person. */
  readonly auto: ReadonlySet<string>;
  /** The version of the catalogue file that the approver signed; absent: none yet. */
  readonly catalogue: string | undefined;
  /** The lines that count. */
  readonly entries: readonly AuditEntry[];
  /** The last line that is whole, whether it counts or not: the next one is chained to it. */
  readonly last: AuditEntry | undefined;
  /** The hashes of the lines that count because the approver signed them, in their order. */
  readonly signed: readonly string[];
  readonly problems: readonly LogProblem[];
}

const NEEDS_SIGNATURE: ReadonlySet<string> = new Set([
  "approved",
  "rejected",
  "edited",
  "rolled_back",
  "policy",
  "catalogue",
]);

/** A whole line of the file. */
interface ReadLine {
  /** From 1. */
  readonly line: number;
  readonly entry: AuditEntry;
  readonly isSigned: boolean;
}

/**
 * Reads a log. What counts is decided line by line: signed lines count, in the order of their numbers; unsigned ones can
 * only propose, or change what a signed policy leaves to the agent, and count where they were written: a signed line
 * after them stands on them. Whatever else stands in the file changes nothing and is told as a problem.
 */
export function stateOf(text: string, approver: KeyObject | undefined): AdaptationState {
  const edits = new Map<string, ActiveEdit>();
  const proposals = new Map<string, Proposal>();
  const problems: LogProblem[] = [];
  const entries: AuditEntry[] = [];
  let auto: ReadonlySet<string> = new Set();
  let catalogue: string | undefined;
  const signed: string[] = [];
  let latest = 0;

  /** The change of an id that was in force is no longer. */
  function supersede(id: string, state: "superseded" | "rolled_back"): void {
    for (const [name, known] of proposals) {
      if (known.id === id && known.state === "active") proposals.set(name, { ...known, state });
    }
  }

  function put(id: string, edit: AdaptationEdit | null, at: string): void {
    if (edit === null) edits.delete(id);
    else edits.set(id, { ...edit, updated_at: at });
  }

  function take(entry: AuditEntry): string | undefined {
    const { kind, id = "", edit, proposal = "", at, reason } = entry;
    const known = proposals.get(proposal);
    switch (kind) {
      case "proposed": {
        if (!edit) return "it proposes nothing";
        const wrong = problemOfEdit(edit);
        if (wrong !== undefined) return wrong;
        if (proposals.has(proposal)) return `${proposal} is proposed twice`;
        proposals.set(proposal, {
          proposal,
          id,
          edit,
          at,
          ...(reason !== undefined && { reason }),
          state: "proposed",
        });
        return undefined;
      }
      case "rejected":
        if (known !== undefined) proposals.set(proposal, { ...known, state: "rejected" });
        return undefined;
      case "policy":
        auto = new Set(entry.auto ?? []);
        return undefined;
      case "catalogue":
        catalogue = entry.version;
        return undefined;
      case "applied":
        if (!auto.has(id)) return `${id} may not change without a person`;
        if (!edit) return "it changes nothing";
        break;
      case "approved":
      case "edited":
      case "rolled_back":
        if (edit === undefined) return "it says no edit";
        break;
      default:
        return `nobody knows what ${String(kind)} is`;
    }
    const problem = edit === null ? undefined : problemOfEdit(edit);
    if (problem !== undefined) return problem;
    supersede(id, kind === "rolled_back" ? "rolled_back" : "superseded");
    if (known !== undefined && kind === "approved")
      proposals.set(proposal, { ...known, state: "active" });
    put(id, edit, at);
    return undefined;
  }

  const tell = (line: number, what: string): void => {
    problems.push({ line, text: what });
  };
  const lines = wholeLines(text, approver, tell);
  const latestSigned = lines.findLastIndex((one) => one.isSigned);
  const vouched = vouchedFor(lines);

  let last: AuditEntry | undefined;
  for (const [at, { line, entry, isSigned }] of lines.entries()) {
    const isNext = entry.seq === (last?.seq ?? 0) + 1;
    if (!isSigned && !isNext) {
      // Nothing is chained to it: who may write anything could count up to where no number follows.
      tell(line, "it stands out of order: it counts for nothing");
      continue;
    }
    if (entry.prev !== (last?.hash ?? ""))
      tell(line, "what stood before it is not what stands there now");
    last = entry;
    if (isSigned) {
      if (entry.seq <= latest) {
        tell(line, "it stands out of order: it counts for nothing");
        continue;
      }
      latest = entry.seq;
    } else if (NEEDS_SIGNATURE.has(entry.kind)) {
      tell(line, `${entry.kind} is not signed by the approver: it counts for nothing`);
      continue;
    } else if (entry.kind === "applied" && at < latestSigned && !vouched.has(entry.hash)) {
      tell(line, "it was put there after what stands behind it: it counts for nothing");
      continue;
    }
    const problem = take(entry);
    if (problem !== undefined) {
      tell(line, `${problem}: it counts for nothing`);
      continue;
    }
    if (isSigned) signed.push(entry.hash);
    entries.push(entry);
  }
  problems.sort((one, other) => one.line - other.line);
  return {
    edits,
    proposals: [...proposals.values()],
    auto,
    catalogue,
    entries,
    last,
    signed,
    problems,
  };
}

function wholeLines(
  text: string,
  approver: KeyObject | undefined,
  tell: (line: number, what: string) => void,
): readonly ReadLine[] {
  return text.split("\n").flatMap((json, at) => {
    if (json === "") return [];
    const entry = entryFrom(json);
    if (entry !== undefined && isIntact(entry)) {
      const needs = NEEDS_SIGNATURE.has(entry.kind);
      return [{ line: at + 1, entry, isSigned: needs && isSigned(entry, approver) }];
    }
    tell(at + 1, entry === undefined ? "it is no entry" : "it was changed after it was written");
    return [];
  });
}

/** The hashes of all lines that signed ones stand on: nobody put them there since. */
function vouchedFor(lines: readonly ReadLine[]): ReadonlySet<string> {
  const entries = new Map(lines.map(({ entry }) => [entry.hash, entry]));
  const vouched = new Set<string>();
  for (const one of lines) {
    if (!one.isSigned) continue;
    let before = entries.get(one.entry.prev);
    while (before !== undefined && !vouched.has(before.hash)) {
      vouched.add(before.hash);
      before = entries.get(before.prev);
    }
  }
  return vouched;
}
