import {
  type AssembleOptions,
  assemble,
  largeTexts,
  mayHoldLargeTexts,
  scoresOf,
  withoutLargeTexts,
} from "@thoughtflow/assemble";
import { createPricing, type PriceFile } from "@thoughtflow/dialects/prices";
import { fileNameOf } from "@thoughtflow/journal";
import { d2, svg } from "@thoughtflow/render";
import type { FlowRecord } from "@thoughtflow/schema";
import { documentInParts, type WritePart } from "@thoughtflow/schema/document-parts";
import { currentPriceFile } from "./price-file.ts";

/** A file of a session: its place in the flow directory, and its text or UTF-8, made piece by piece when it is written. */
export interface SessionFile {
  /** Below the flow directory; empty or `blobs`. */
  readonly folder: string;
  readonly name: string;
  readonly chunks: Iterable<string | Uint8Array>;
  /** It is made of the document: where it can't be, the document is written all the same. */
  readonly isPicture?: boolean;
  /** Of the document, which alone has one. */
  readonly revision?: number;
}

/** What the files of a session depend on besides its records. */
export interface SessionFilesOptions {
  /** The revision that the document has already, if that is known. */
  readonly known?: number | undefined;
  /** Called while the document is written, where it is too long for one file. */
  readonly writePart: WritePart;
  /** How long a file may be. Default `PART_BYTES`. */
  readonly partBytes?: number | undefined;
}

/**
 * The files of a session, from its records: the blobs that the document names, `.scores.jsonl` where there are scores,
 * `.d2`, `.svg`, and `<session>.json` as the last: with its revision it tells that all of them are there. None when the
 * records hold nothing of it, or nothing beyond the revision that is known.
 */
export function* sessionFiles(
  records: readonly FlowRecord[],
  id: string,
  { known, writePart, partBytes }: SessionFilesOptions,
): Generator<SessionFile> {
  const session = assemble(records, currentPricing()).find((one) => one.session_id === id);
  if (session === undefined || (known !== undefined && session.revision === known)) return;
  const name = fileNameOf(session.session_id);
  const hasLarge = mayHoldLargeTexts(records);
  for (const { sha256, text } of hasLarge ? largeTexts(session) : [])
    yield { folder: "blobs", name: sha256, chunks: [text] };
  const scores = scoresOf(records, id);
  if (scores.length > 0) {
    const lines = scores.map((score) => `${JSON.stringify(score)}\n`);
    yield { folder: "", name: `${name}.scores.jsonl`, chunks: lines };
  }
  yield picture(`${name}.d2`, () => d2.render(session));
  yield picture(`${name}.svg`, () => svg.render(session));
  const chunks = documentInParts(session, {
    sessionId: id,
    writePart,
    ...(partBytes !== undefined && { mostBytes: partBytes }),
    replace: hasLarge ? withoutLargeTexts : undefined,
  });
  yield { folder: "", name: `${name}.json`, chunks, revision: session.revision ?? 0 };
}

/** A picture of a session, made when it is written. */
export function picture(name: string, render: () => string): SessionFile {
  return { folder: "", name, chunks: rendered(render), isPicture: true };
}

function* rendered(render: () => string): Generator<string> {
  yield render();
}

/** The revision that these records give a session; 0 for one of which they say nothing. */
export function revisionOf(records: readonly FlowRecord[], id: string): number {
  return assemble(records).find((one) => one.session_id === id)?.revision ?? 0;
}

const pricings = new WeakMap<PriceFile, AssembleOptions>();

/** What the process's price file makes of assembly, made once: prices that were looked up are remembered there. */
export function currentPricing(): AssembleOptions {
  const file = currentPriceFile();
  if (file === undefined) return {};
  const options = pricings.get(file) ?? { pricing: createPricing(file) };
  pricings.set(file, options);
  return options;
}
