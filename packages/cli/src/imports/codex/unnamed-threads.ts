import { hash } from "node:crypto";
import type { CopiedLines } from "./copied-lines.ts";

/**
 * Tells what is copied in threads of which no first line says what they are, and whether they were made of others: one may begin with
 * the lines of another, which have the times that they had there.
 *
 * @returns makes what tells it of the next thread.
 */
export function createUnnamedThreads(): () => CopiedLines {
  const told = new Set<string>();
  return () => {
    let isCopying = true;
    return {
      begins: () => {},
      isCopied({ kind, ms, payload }) {
        if (kind === "turn_context") return false;
        const key = hash("sha256", JSON.stringify([ms, kind, payload]), "base64");
        isCopying &&= ms !== undefined && told.has(key);
        told.add(key);
        return isCopying;
      },
    };
  };
}
