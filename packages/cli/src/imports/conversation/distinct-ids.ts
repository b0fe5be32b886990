import { hash } from "node:crypto";
import type { ImportReport } from "../import-format.ts";

/** The ids under which a session tells what happened, each once: programs use some of them again. */
export interface DistinctIds {
  /** The id of what happened; another one where it stands for something else; `undefined` where the same was told before. */
  distinct(kind: string, id: string, content: unknown): string | undefined;
  /** The id, or another one where it was used before, whatever for. */
  next(kind: string, id: string): string;
}

export function createDistinctIds(sessionId: string, report: ImportReport): DistinctIds {
  const seen = new Map<string, string>();

  return {
    distinct(kind, id, content) {
      const body = hash("sha256", JSON.stringify(content) ?? "");
      for (let count = 1; ; count++) {
        const key = numbered(id, count);
        const known = seen.get(`${kind} ${key}`);
        if (known === body) {
          report.lost(`${kind} that is told twice`);
          return undefined;
        }
        if (known !== undefined) continue;
        seen.set(`${kind} ${key}`, body);
        if (count > 1)
          report.warn(`${sessionId}: ${kind} ${id} stands for different things; kept as ${key}`);
        return key;
      }
    },
    next(kind, id) {
      let count = 1;
      while (seen.has(`${kind} ${numbered(id, count)}`)) count++;
      seen.set(`${kind} ${numbered(id, count)}`, "");
      return numbered(id, count);
    },
  };
}

function numbered(id: string, count: number): string {
  return count === 1 ? id : `${id}~${count}`;
}
