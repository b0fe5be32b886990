import { assemble, scoresOf, splitLargeTexts } from "@thoughtflow/assemble";
import { fileNameOf } from "@thoughtflow/journal";
import { d2, svg } from "@thoughtflow/render";
import type { FlowRecord } from "@thoughtflow/schema";
import { canonicalChunks } from "@thoughtflow/schema/canonical";

/** A file of a session: its place in the flow directory, and its text, made piece by piece when it is written. */
export interface SessionFile {
  /** Below the flow directory; empty or `blobs`. */
  readonly folder: string;
  readonly name: string;
  readonly chunks: Iterable<string>;
}

/**
 * The files of a session, from its records: `<session>.json`, `.d2` and `.svg`, after the blobs that the first one
 * names; `.scores.jsonl` where there are scores. None when the records hold nothing of it, or nothing beyond the
 * revision that is known.
 */
export function* sessionFiles(
  records: readonly FlowRecord[],
  id: string,
  known?: number,
): Generator<SessionFile> {
  const session = assemble(records).find((one) => one.session_id === id);
  if (session === undefined || session.revision === known) return;
  const name = fileNameOf(session.session_id);
  const { session: document, blobs } = splitLargeTexts(session);
  for (const [sha256, text] of blobs) yield { folder: "blobs", name: sha256, chunks: [text] };
  yield { folder: "", name: `${name}.json`, chunks: canonicalChunks(document) };
  yield { folder: "", name: `${name}.d2`, chunks: [d2.render(session)] };
  yield { folder: "", name: `${name}.svg`, chunks: [svg.render(session)] };
  const scores = scoresOf(records, id);
  if (scores.length === 0) return;
  const lines = scores.map((score) => `${JSON.stringify(score)}\n`);
  yield { folder: "", name: `${name}.scores.jsonl`, chunks: lines };
}
