import { closeSync, openSync, readSync, rmSync } from "node:fs";
import {
  createLongSession,
  type LargeText,
  largeTexts,
  mayHoldLargeTexts,
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
import { d2, svg } from "@thoughtflow/render";
import type { FlowRecord, Part, Run } from "@thoughtflow/schema";
import { aroundRuns } from "@thoughtflow/schema/canonical";
import { runsInParts, type WritePart } from "@thoughtflow/schema/document-parts";
import { createBriefSession } from "./brief-session.ts";
import { currentPricing, picture, type SessionFile } from "./session-files.ts";
import type { SessionOutline, Stretch } from "./session-outline.ts";

/** A session that is assembled stretch by stretch. */
export interface StretchesTask {
  readonly directory: FlowDirectory;
  readonly sessionId: string;
  readonly stretches: readonly Stretch[];
  readonly outline: Pick<SessionOutline, "traceOfCall" | "traceOfSpan" | "hasHistories">;
  /** The records of these traces, and no others. May throw what ends the work. */
  readonly recordsOfTraces: (traceIds: ReadonlySet<string>) => readonly FlowRecord[];
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
 * each run as one box. Blobs are put in their places on the way: nobody knows them before a document names them. Throws
 * `NotSeparableError` where the stretches hang together by more than is known of them, and what the file system says.
 *
 * The runs go into a file beside the document first, since what they come to stands before them.
 */
export function* filesInStretches(
  task: StretchesTask,
  options: WriteDocumentOptions,
): Generator<SessionFile> {
  const { directory, sessionId, stretches, outline, partBytes, onStretch } = task;
  const { recordsOfTraces, keepOpen, writePart } = task;
  const name = fileNameOf(sessionId);
  const long = createLongSession(sessionId, {
    ...currentPricing(),
    traceOfCall: outline.traceOfCall,
    traceOfSpan: outline.traceOfSpan,
    hasHistories: outline.hasHistories,
  });
  const brief = createBriefSession();
  let hasLarge = false;

  function* runs(): Generator<Run> {
    for (const [at, { traces, goesOnFrom }] of stretches.entries()) {
      const files = keepOpen?.();
      try {
        const records = recordsOfTraces(new Set([...traces, ...goesOnFrom, ...long.goesOnFrom]));
        const { runs, ties } = long.add(records, traces);
        hasLarge = mayHoldLargeTexts(records);
        for (const text of hasLarge ? largeTexts({ conversations: [...runs] }) : [])
          writeLarge(text);
        brief.add(runs, ties);
        yield* runs;
      } finally {
        files?.close();
      }
      onStretch?.(at + 1, stretches.length);
    }
  }

  function writeLarge({ sha256, text }: LargeText): void {
    const result = writeDocumentSync(directory.make("blobs"), sha256, [text], options);
    if (!result.written) throw new Error(result.code);
  }

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

  const { mark } = options;
  const told = prepareDocumentSync(directory.make(""), "", firstRuns(), { mark });
  try {
    const head = long.head();
    if (head === undefined) return;
    const session = brief.session(head);
    const folded = { areRunsFolded: true };
    yield picture(`${name}.d2`, () => d2.render(session, folded));
    yield picture(`${name}.svg`, () => svg.render(session, folded));
    const [before, behind] = aroundRuns(parts.length === 0 ? head : { ...head, parts: [...parts] });
    const chunks = inTurn<string | Uint8Array>([before], bytesOf(told.temporary), [behind]);
    yield { folder: "", name: `${name}.json`, chunks, revision: head.revision ?? 0 };
  } finally {
    rmSync(told.temporary, { force: true });
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

function* inTurn<T>(...all: readonly Iterable<T>[]): Generator<T> {
  for (const chunks of all) yield* chunks;
}
