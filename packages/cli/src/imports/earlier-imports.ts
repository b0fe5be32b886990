import { closeSync, openSync, readSync } from "node:fs";
import { fileNameOf, listSessions } from "@thoughtflow/journal";
import type { KnownRecords } from "@thoughtflow/processor/records";
import { ATTR_GEN_AI_RESPONSE_ID, ATTR_X_REQUEST_ID } from "@thoughtflow/semconv";
import { textOf } from "./plain-values.ts";

/** A model call that an import told before. */
export interface EarlierCall {
  readonly traceId: string;
  readonly spanId: string;
  /** As the provider gave them. */
  readonly responseId: string;
  readonly requestId: string;
}

/** What earlier imports told a flow directory: sessions of now may begin with copies of those. */
export interface EarlierImports {
  /**
   * The sessions that began at one of these moments.
   *
   * @param moments Milliseconds since 1970.
   * @param now The sessions that are told now: of them nothing is asked.
   */
  begunAt(moments: ReadonlySet<number>, now: ReadonlySet<string>): readonly string[];
  /** Its calls of which the provider's ids are known. */
  callsOf(sessionId: string): Iterable<EarlierCall>;
}

/** Of an import into a new directory. */
export const NOTHING_EARLIER: EarlierImports = { begunAt: () => [], callsOf: () => [] };

export function createEarlierImports(
  dir: string,
  known: Pick<KnownRecords, "standingOf">,
): EarlierImports {
  /** By file names. */
  const heads = new Map<string, Head | undefined>();

  return {
    begunAt(moments, now) {
      const names = new Set([...now].map(fileNameOf));
      return listSessions(dir).flatMap(({ name, path }) => {
        if (names.has(name)) return [];
        const head = heads.has(name) ? heads.get(name) : headOf(path);
        heads.set(name, head);
        return head !== undefined && moments.has(head.ms) ? [head.id] : [];
      });
    },
    *callsOf(sessionId) {
      for (const { traceId, spanId, attributes } of known.standingOf(sessionId)) {
        const responseId = textOf(attributes[ATTR_GEN_AI_RESPONSE_ID]);
        const requestId = textOf(attributes[ATTR_X_REQUEST_ID]);
        if (responseId !== undefined && requestId !== undefined)
          yield { traceId, spanId, responseId, requestId };
      }
    },
  };
}

interface Head {
  readonly id: string;
  readonly ms: number;
}

/** What a document begins with: a title may be as long as it likes. */
const HEAD_BYTES = 4_096;
const ID = /^ {2}"session_id": ("(?:[^"\\]|\\.)*"),$/m;
const BEGAN = /^ {2}"started_at": "([^"]*)",$/m;

/** `undefined` where it can't be read, or does not say. */
function headOf(path: string): Head | undefined {
  try {
    const fd = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      const text = bytes.toString("utf8", 0, readSync(fd, bytes, 0, HEAD_BYTES, 0));
      const [id, began] = [ID, BEGAN].map((member) => member.exec(text)?.[1]);
      return id === undefined ? undefined : { id: JSON.parse(id), ms: Date.parse(began ?? "") };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
