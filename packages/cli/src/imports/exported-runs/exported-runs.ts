import type { SpanRecord } from "@thoughtflow/schema";
import type { ImportFormat, ImportReport } from "../import-format.ts";
import { isOfLines, jsonLines } from "../json-lines.ts";
import { jsonOf } from "../json-of.ts";
import { createLossCounter, type LossTable } from "../loss-table.ts";
import type { PlainObject } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import type { SourceFile } from "../source-file.ts";
import { type ExportedRun, spanOfRun } from "./exported-run.ts";
import { createRunTraces } from "./run-traces.ts";
import { objectsIn, runsIn } from "./runs-in.ts";

/** What tells one platform's runs from another's. */
export interface RunsOfPlatform extends Pick<ImportFormat, "summary" | "what"> {
  readonly isRun: (value: PlainObject) => boolean;
  readonly runOf: (run: PlainObject) => ExportedRun;
  readonly losses: LossTable;
}

/** The runs that a platform keeps, read as the spans that they were: what the span dialect of that platform tells of them. */
export function exportedRuns(platform: RunsOfPlatform): ImportFormat {
  const { summary, what, isRun, losses } = platform;
  const format: ImportFormat = {
    summary,
    what,
    recognise: (value) => runsIn(value, isRun).length > 0,
    losses,
    tellsSpans: true,
    async *read(files, report) {
      const countLosses = createLossCounter(losses, report);
      const reader = createRunReader(platform);
      for (const file of await filesOfFormat(files, format, report)) {
        for await (const value of valuesOf(file, report)) {
          if (!format.recognise(value)) report.lost(`line that is not ${what}`);
          else for (const one of objectsIn(value)) countLosses(one);
          yield* told(reader.spansIn(value), report);
        }
      }
      const waited = reader.waited();
      report.repaired("run without a trace", "it is of its parent's", waited.length);
      yield* told(waited, report);
    },
  };
  return format;
}

/** `undefined` in the place of a run without a beginning. */
type ReadSpans = readonly (SpanRecord | undefined)[];

/** Makes spans of values that hold runs. */
export interface RunReader {
  /** Of the runs in a value, those whose trace is known. */
  spansIn(value: unknown): ReadSpans;
  /** Of the others, once all values were told. */
  waited(): ReadSpans;
}

export function createRunReader({
  isRun,
  runOf,
}: Pick<RunsOfPlatform, "isRun" | "runOf">): RunReader {
  const traces = createRunTraces();
  return {
    spansIn: (value) =>
      runsIn(value, isRun)
        .flatMap((run) => traces.placed(runOf(run)) ?? [])
        .map(spanOfRun),
    waited: () => traces.waited().map(spanOfRun),
  };
}

function* told(spans: ReadSpans, report: ImportReport): Generator<SpanRecord> {
  for (const span of spans) {
    if (span === undefined) report.lost("run without a beginning");
    else yield span;
  }
}

async function* valuesOf(file: SourceFile, report: ImportReport): AsyncGenerator<unknown> {
  if (!(await isOfLines(file))) {
    yield jsonOf(await file.text());
    return;
  }
  for await (const line of jsonLines(file)) {
    if ("record" in line) yield line.record;
    else report.lost(`line that can't be read (${line.problem})`);
  }
}
