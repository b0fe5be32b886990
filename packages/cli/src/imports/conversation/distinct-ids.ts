import { hash } from "node:crypto";
import type { ImportReport } from "../import-format.ts";

/** The ids under which a session tells what happened, each once: programs use some of them again. */
export interface DistinctIds {
  /** The id of what happened; another one where it stands for something else; `undefined` where the same was told before. */
  distinct(kind: string, id: string, content: unknown): string | undefined;
  /** The id, or another one where it was used before, whatever for. */
  next(kind: string, id: string): string;
}

/** What an id stands for beside what it stood for first. */
interface Further {
  readonly bodies: Set<string>;
  /** How many ids were made of it, itself among them. */
  count: number;
}

export function createDistinctIds(sessionId: string, report: ImportReport): DistinctIds {
  const seen = new Map<string, string>();
  /** Of the few ids that were used again: of one that always is, none looks at all before. */
  const further = new Map<string, Further>();

  function furtherOf(key: string): Further {
    const known = further.get(key) ?? { bodies: new Set(), count: 1 };
    further.set(key, known);
    return known;
  }

  function take(kind: string, id: string, body: string): string {
    const known = furtherOf(`${kind} ${id}`);
    do known.count++;
    while (seen.has(`${kind} ${id}~${known.count}`));
    known.bodies.add(body);
    seen.set(`${kind} ${id}~${known.count}`, body);
    return `${id}~${known.count}`;
  }

  return {
    distinct(kind, id, content) {
      const key = `${kind} ${id}`;
      const body = hash("sha256", JSON.stringify(content) ?? "");
      const first = seen.get(key);
      if (first === undefined) {
        seen.set(key, body);
        return id;
      }
      if (first === body || further.get(key)?.bodies.has(body)) {
        report.lost(`${kind} that is told twice`);
        return undefined;
      }
      const isFirst = !further.has(key);
      const taken = take(kind, id, body);
      if (isFirst)
        report.warn(`${sessionId}: ${kind} ${id} stands for different things; kept as ${taken}`);
      return taken;
    },
    next(kind, id) {
      if (seen.has(`${kind} ${id}`)) return take(kind, id, "");
      seen.set(`${kind} ${id}`, "");
      return id;
    },
  };
}
