import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";

/**
 * A session with the texts that stand beside its document in their places. Each is read when somebody asks for it; one that
 * is missing, or is not what its hash says, stays as the document has it.
 *
 * @param blobs the directory in which they stand; where it is missing, none does
 */
export function withWholeTexts(session: Session, blobs: string): Session {
  if (!existsSync(blobs)) return session;
  return {
    ...session,
    conversations: session.conversations.map((run) => ({
      ...run,
      steps: run.steps.map((step) => whole(step, blobs) as typeof step),
    })),
  };
}

/** Levels of a step in which large texts stand; what nests deeper is hostile. */
const DEEPEST = 64;

/** Copies what holds a blob, and nothing else. */
function whole(value: unknown, blobs: string, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  let copy: object | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const sha256 = hashOf(inner);
    const replaced = sha256 === undefined ? whole(inner, blobs, depth + 1) : inner;
    if (sha256 === undefined && replaced === inner) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    const descriptor =
      sha256 === undefined
        ? { value: replaced }
        : { get: () => textOf(join(blobs, sha256), sha256) ?? inner };
    Object.defineProperty(copy, key, { ...descriptor, enumerable: true, configurable: true });
  }
  return copy ?? value;
}

/** A file's name can come out of a document only as a hash. */
function hashOf(value: unknown): string | undefined {
  const blob = (value as { readonly $blob?: unknown } | null | undefined)?.$blob;
  const sha256 = (blob as { readonly sha256?: unknown } | null | undefined)?.sha256;
  return typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : undefined;
}

function textOf(path: string, sha256: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  return createHash("sha256").update(bytes).digest("hex") === sha256
    ? bytes.toString("utf8")
    : undefined;
}
