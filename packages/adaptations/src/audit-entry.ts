import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { AdaptationEdit } from "./adaptation.ts";
import { hashOf } from "./version.ts";

/**
 * What happened. Nothing but `proposed` and `applied` counts without a signature; `applied` counts where the signed
 * policy names the id.
 */
export type AuditKind =
  | "proposed"
  | "approved"
  | "rejected"
  | "edited"
  | "rolled_back"
  | "applied"
  | "policy"
  | "catalogue";

/** One line of `audit.jsonl`. */
export interface AuditEntry {
  /** From 1, one more than the line before. */
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: AuditKind;
  /** Of the adaptation. */
  readonly id?: string;
  /** Of a proposal: `p` and a number. */
  readonly proposal?: string;
  /** What the edit of the adaptation is from now on; `null`: none, the catalogue's own word. Of a proposal: what it would be. */
  readonly edit?: AdaptationEdit | null;
  /** Of a policy: the ids that may change without a person. */
  readonly auto?: readonly string[];
  /** Of a catalogue: the version of the file that applies. */
  readonly version?: string;
  /** Why, in the words of who did it. */
  readonly reason?: string;
  /** Hash of the line before; empty for the first. */
  readonly prev: string;
  /** SHA-256 of everything above. */
  readonly hash: string;
  /** Ed25519 over the hash, base64. */
  readonly signature?: string;
}

/** An entry before it has its place in the log. */
export type AuditDraft = Omit<AuditEntry, "seq" | "prev" | "hash" | "signature">;

/** The next line of a log, signed where there is a key. */
export function entryAfter(
  last: AuditEntry | undefined,
  draft: AuditDraft,
  key?: KeyObject,
): AuditEntry {
  const body = { seq: (last?.seq ?? 0) + 1, ...draft, prev: last?.hash ?? "" };
  const hash = hashOf(body);
  if (key === undefined) return { ...body, hash };
  return { ...body, hash, signature: sign(null, Buffer.from(hash, "hex"), key).toString("base64") };
}

/** Whether the hash is that of the entry. */
export function isIntact({ hash, signature: _, ...body }: AuditEntry): boolean {
  return hash === hashOf(body);
}

/** Whether the approver signed the entry. */
export function isSigned(entry: AuditEntry, approver: KeyObject | undefined): boolean {
  if (entry.signature === undefined || approver === undefined || !isIntact(entry)) return false;
  try {
    return verify(
      null,
      Buffer.from(entry.hash, "hex"),
      approver,
      Buffer.from(entry.signature, "base64"),
    );
  } catch {
    return false;
  }
}

/** The approver's public key from PEM text. Throws when it is none, or not Ed25519. */
export function approverFrom(pem: string): KeyObject {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType !== "ed25519") {
    throw new Error(`an approver's key is ed25519, this one is ${key.asymmetricKeyType}`);
  }
  return key;
}

/** One line of the file; `undefined` where it is none. */
export function entryFrom(line: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return undefined;
    const fields = value as Readonly<Record<string, unknown>>;
    const { seq, at, kind, prev, hash, id = "", proposal = "", reason = "" } = fields;
    const isEntry =
      Number.isSafeInteger(seq) &&
      [at, kind, prev, hash, id, proposal, reason].every((one) => typeof one === "string");
    return isEntry ? (value as AuditEntry) : undefined;
  } catch {
    return undefined;
  }
}
