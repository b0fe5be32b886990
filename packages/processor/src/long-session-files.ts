import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import {
  createLongSession,
  type LargeText,
  largeTexts,
  mayHoldLargeTexts,
  NotSeparableError,
  withoutLargeTexts,
} from "@thoughtflow/assemble";
import {
  createJournalReader,
  createPartWriter,
  type FileSystem,
  fileNameOf,
  type Journal,
  prepareDocumentSync,
  realFileSystem,
  removeOtherParts,
  type WriteDocumentOptions,
  writeDocument,
  writeDocumentSync,
} from "@thoughtflow/journal";
import { d2, svg } from "@thoughtflow/render";
import type { Part, Run } from "@thoughtflow/schema";
import { aroundRuns } from "@thoughtflow/schema/canonical";
import { runsInParts } from "@thoughtflow/schema/document-parts";
import { createBriefSession } from "./brief-session.ts";
import { currentPricing } from "./session-files.ts";
import { leaseOfSession } from "./session-lease.ts";
import type { SessionOutline, Stretch } from "./session-outline.ts";

/** A session whose files are made stretch by stretch. */
export interface LongSessionTask {
  readonly dir: string;
  readonly journal: Journal;
  readonly sessionId: string;
  readonly stretches: readonly Stretch[];
  readonly outline: SessionOutline;
  readonly fs: FileSystem;
  /** How long a file of the document may be. Default `PART_BYTES`. */
  readonly partBytes?: number | undefined;
  readonly onStretch?: ((done: number, all: number) => void) | undefined;
}

/**
 * Writes the files of a session of which never more than a stretch is in memory; false, and nothing written, where that can't be:
 * other processes have recorded some of it, or its stretches hang together by more than is known of them. Throws what the file
 * system says.
 */
export async function writeLongSession(task: LongSessionTask): Promise<boolean> {
  const { dir, journal, sessionId, fs } = task;
  const others = createJournalReader(dir, {
    filter: (writer) => writer !== journal.writer,
    textsStay: true,
    fs,
  });
  others.refreshSync();
  if (others.recordsOfSession(sessionId).length > 0) return false;
  const lease = await leaseOfSession(journal, sessionId);
  try {
    await writeInStretches(task, { fs, ...(lease !== undefined && { mayReplace: lease.renew }) });
    return true;
  } catch (error) {
    if (error instanceof NotSeparableError) return false;
    throw error;
  } finally {
    lease?.release();
  }
}

/**
 * The runs go into a file beside the document first, since what they come to stands before them. The document is the one that
 * `sessionFiles` makes; the pictures show each run as one box.
 */
async function writeInStretches(
  { dir, journal, sessionId, stretches, outline, partBytes, onStretch }: LongSessionTask,
  options: WriteDocumentOptions,
): Promise<void> {
  const folder = journal.directory.make("");
  const long = createLongSession(sessionId, { ...currentPricing(), hasCall: outline.hasCall });
  const brief = createBriefSession();
  let hasLarge = false;

  function* runs(): Generator<Run> {
    for (const [at, { traces, goesOnFrom }] of stretches.entries()) {
      const asked = new Set([...traces, ...goesOnFrom, ...long.goesOnFrom]);
      const records = journal.recordsOfTraces(asked);
      const { runs, ties } = long.add(records, traces);
      hasLarge = mayHoldLargeTexts(records);
      for (const text of hasLarge ? largeTexts({ conversations: [...runs] }) : []) writeLarge(text);
      brief.add(runs, ties);
      yield* runs;
      onStretch?.(at + 1, stretches.length);
    }
  }

  function writeLarge({ sha256, text }: LargeText): void {
    const result = writeDocumentSync(journal.directory.make("blobs"), sha256, [text], options);
    if (!result.written) throw new Error(result.code);
  }

  async function write(ending: string, chunks: Iterable<string>): Promise<void> {
    const result = await writeDocument(
      folder,
      `${fileNameOf(sessionId)}${ending}`,
      chunks,
      options,
    );
    if (!result.written) throw new Error(result.code);
  }

  const replace = (content: unknown) => (hasLarge ? withoutLargeTexts(content) : content);
  const partWriter = createPartWriter(journal.directory, sessionId, options);
  let parts: readonly Part[] = [];

  function* firstRuns(): Generator<string> {
    parts = yield* runsInParts(runs(), {
      sessionId,
      writePart: partWriter.write,
      ...(partBytes !== undefined && { mostBytes: partBytes }),
      replace,
    });
  }

  const told = prepareDocumentSync(folder, "", firstRuns());
  try {
    const head = long.head();
    if (head === undefined) return;
    const session = brief.session(head);
    await write(".d2", [d2.render(session, { areRunsFolded: true })]);
    await write(".svg", [svg.render(session, { areRunsFolded: true })]);
    const [before, behind] = aroundRuns(parts.length === 0 ? head : { ...head, parts: [...parts] });
    await write(".json", inTurn([before], textOf(told.temporary), [behind]));
    removeOtherParts(dir, sessionId, partWriter.paths, options.fs ?? realFileSystem);
  } finally {
    rmSync(told.temporary, { force: true });
  }
}

/** Larger pieces are large objects of the heap, of which many wait for their collection. */
const READ_BYTES = 64 * 1024;

/** The text of a file, in pieces. */
function* textOf(path: string): Generator<string> {
  const decoder = new StringDecoder("utf8");
  const bytes = Buffer.allocUnsafe(READ_BYTES);
  const fd = openSync(path, "r");
  try {
    for (let read = readSync(fd, bytes); read > 0; read = readSync(fd, bytes))
      yield decoder.write(bytes.subarray(0, read));
  } finally {
    closeSync(fd);
  }
}

function* inTurn(...all: readonly Iterable<string>[]): Generator<string> {
  for (const chunks of all) yield* chunks;
}
