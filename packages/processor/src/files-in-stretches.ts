import { closeSync, openSync, readSync, rmSync } from "node:fs";
import {
  createLongSession,
  type LargeText,
  largeTexts,
  mayHoldLargeTexts,
  NotSeparableError,
  type RunTie,
  withoutLargeTexts,
} from "@thoughtflow/assemble";
import {
  type FlowDirectory,
  fileNameOf,
  type OpenFiles,
  prepareDocumentSync,
  type WriteDocumentOptions,
  writeDocumentSync,
} from "@thoughtflow/journal";
import { createRunStretches, d2, svg } from "@thoughtflow/render";
import type { Part, Run, Step, TombstoneRecord } from "@thoughtflow/schema";
import { aroundRuns, canonicalStep } from "@thoughtflow/schema/canonical";
import { runsInParts, type WritePart } from "@thoughtflow/schema/document-parts";
import { createBriefSession } from "./brief-session.ts";
import type { RecordsOfPieces } from "./long-traces.ts";
import { currentPricing, picture, type SessionFile } from "./session-files.ts";
import type { SessionOutline, Stretch } from "./session-outline.ts";
import { JoinedRun, type ToldRuns, wholeRuns } from "./whole-runs.ts";

/** A session that is assembled stretch by stretch. */
export interface StretchesTask {
  readonly directory: FlowDirectory;
  readonly sessionId: string;
  readonly stretches: readonly Stretch[];
  readonly outline: Pick<SessionOutline, "pieceOfCall" | "pieceOfSpan" | "hasHistories">;
  /** Of bodies of its spans. Default: none. */
  readonly erasures?: readonly TombstoneRecord[] | undefined;
  /** The records of these traces or slices, and no others. May throw what ends the work. */
  readonly recordsOfPieces: RecordsOfPieces;
  /** Opens what the records of one stretch, and their texts, are read from; to close it may throw what ends the work. */
  readonly keepOpen?: (() => OpenFiles) | undefined;
  /** Where the parts of the document go. */
  readonly writePart: WritePart;
  /** How long a file of the document may be. Default `PART_BYTES`. */
  readonly partBytes?: number | undefined;
  readonly onStretch?: ((done: number, all: number) => void) | undefined;
}

/**
 * The files of a session of which never more than a stretch is in memory, as `sessionFiles` makes them, but that the pictures show
 * each run as one box, and of few runs the long ones stretch by stretch. Blobs are put in their places on the way: nobody knows them before a document names them. Throws
 * `NotSeparableError` where the stretches hang together by more than is known of them, and what the file system says.
 *
 * The runs go into a file beside the document first, since what they come to stands before them.
 */
export function* filesInStretches(
  task: StretchesTask,
  options: WriteDocumentOptions,
): Generator<SessionFile> {
  const { directory, sessionId, stretches, outline, partBytes, onStretch } = task;
  const { recordsOfPieces, keepOpen, writePart, erasures = [] } = task;
  const name = fileNameOf(sessionId);
  const long = createLongSession(sessionId, {
    ...currentPricing(),
    pieceOfCall: outline.pieceOfCall,
    pieceOfSpan: outline.pieceOfSpan,
    hasHistories: outline.hasHistories,
    erasures,
  });
  const brief = createBriefSession();
  const ties: RunTie[] = [];
  let hasLarge = false;
  const temporaries: string[] = [];
  const held: Generator<string>[] = [];
  /** Of the run that was held last. */
  let heldStretches = createRunStretches();

  function* told(): Generator<ToldRuns> {
    let wasContinued = false;
    for (const [at, { pieces, goesOnFrom, isContinued }] of stretches.entries()) {
      const files = keepOpen?.();
      try {
        const records = recordsOfPieces(new Set([...pieces, ...goesOnFrom, ...long.goesOnFrom]));
        const { runs, goesOn, ties: more } = long.add(records, pieces);
        if (goesOn !== wasContinued)
          throw new NotSeparableError("a run is told otherwise than slice by slice");
        hasLarge = mayHoldLargeTexts(records);
        for (const text of hasLarge ? largeTexts({ conversations: [...runs] }) : [])
          writeLarge(text);
        for (const tie of more) ties.push(tie);
        wasContinued = isContinued;
        yield { runs, isContinued };
      } finally {
        files?.close();
      }
      // A run that goes on is not there yet.
      if (!isContinued) brief.tie(ties.splice(0));
      onStretch?.(at + 1, stretches.length);
    }
  }

  const stretchByStretch = told();

  function* runs(): Generator<Run | JoinedRun> {
    for (const one of wholeRuns(stretchByStretch, hold)) {
      if (one instanceof JoinedRun)
        brief.add({ ...one.run, steps: [...one.said] }, heldStretches.stretches);
      else brief.add(one);
      // Any of its stretches may have had large texts.
      hasLarge ||= one instanceof JoinedRun;
      yield one;
    }
  }

  /** Steps that stand in a file until all is known that stands before them. */
  function hold(untold: Iterable<Step>): Iterable<string> {
    const lengths: number[] = [];
    heldStretches = createRunStretches();
    function* texts(): Generator<string> {
      for (const step of untold) {
        heldStretches.add(step);
        const text = canonicalStep(step, replace);
        lengths.push(Buffer.byteLength(text));
        yield text;
      }
    }
    const { temporary } = prepareDocumentSync(directory.make(""), "", texts(), { mark });
    temporaries.push(temporary);
    const steps = textsOf(temporary, lengths);
    held.push(steps);
    return steps;
  }

  function writeLarge({ sha256, text }: LargeText): void {
    const result = writeDocumentSync(directory.make("blobs"), sha256, [text], options);
    if (!result.written) throw new Error(result.code);
  }

  const { mark } = options;
  const replace = (content: unknown) => (hasLarge ? withoutLargeTexts(content) : content);
  let parts: readonly Part[] = [];

  function* firstRuns(): Generator<string> {
    parts = yield* runsInParts(runs(), {
      sessionId,
      writePart,
      ...(partBytes !== undefined && { mostBytes: partBytes }),
      replace,
    });
  }

  try {
    const { temporary } = prepareDocumentSync(directory.make(""), "", firstRuns(), { mark });
    temporaries.push(temporary);
    const head = long.head();
    if (head === undefined) return;
    const session = brief.session(head);
    const { options: folded } = brief;
    yield picture(`${name}.d2`, () => d2.render(session, folded));
    yield picture(`${name}.svg`, () => svg.render(session, folded));
    const [before, behind] = aroundRuns(parts.length === 0 ? head : { ...head, parts: [...parts] });
    const chunks = inTurn<string | Uint8Array>([before], bytesOf(temporary), [behind]);
    yield { folder: "", name: `${name}.json`, chunks, revision: head.revision ?? 0 };
  } finally {
    // Who fails to write what is read does not read on, and its files would stay open.
    for (const reading of [stretchByStretch, ...held]) reading.return(undefined);
    for (const temporary of temporaries) rmSync(temporary, { force: true });
  }
}

const READ_BYTES = 256 * 1024;

/** What stands in a file, piece by piece; each is good until the next one. */
function* bytesOf(path: string): Generator<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(READ_BYTES);
  const fd = openSync(path, "r");
  try {
    for (let read = readSync(fd, bytes); read > 0; read = readSync(fd, bytes))
      yield bytes.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}

/** Texts of such lengths that stand in a file one after the other, in bytes. */
function* textsOf(path: string, lengths: readonly number[]): Generator<string> {
  const fd = openSync(path, "r");
  try {
    for (const length of lengths) {
      const bytes = Buffer.allocUnsafe(length);
      for (let from = 0; from < length; ) {
        const read = readSync(fd, bytes, from, length - from, null);
        if (read === 0) throw new Error("a file of steps was cut off");
        from += read;
      }
      yield bytes.toString();
    }
  } finally {
    closeSync(fd);
    rmSync(path, { force: true });
  }
}

function* inTurn<T>(...all: readonly Iterable<T>[]): Generator<T> {
  for (const chunks of all) yield* chunks;
}
