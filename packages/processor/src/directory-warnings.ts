import { warnAtEnd } from "@thoughtflow/tracing/internal";
import { MissingCodeError } from "./missing-code-error.ts";

/** What is missing of what a process had to tell, at its end. */
export interface Missing {
  /** That it took, and how many of them are in no journal. */
  readonly records: number;
  readonly lostRecords: number;
  /** Sessions whose document does not hold all. */
  readonly documents: number;
}

/** Says loudly that a flow directory can't be written: once when it begins, and once at the end, with what is missing. */
export interface DirectoryWarnings {
  /** `isEnding`: a warning that is emitted would not be shown any more, so the end tells it. */
  failed(problem: unknown, isEnding: boolean): void;
  /** The process ends, and has tried for the last time. */
  ended(missing: Missing): void;
}

const type = "ThoughtFlowWarning";
const code = "THOUGHTFLOW_DIRECTORY";
const HINT = "`thoughtflow doctor` finds the cause";

export function createDirectoryWarnings(dir: string): DirectoryWarnings {
  let latest: unknown;
  let hasFailed = false;
  let isTold = false;
  let isEndTold = false;

  function problemText(): string {
    const reason = latest instanceof Error ? latest.message : String(latest);
    return latest instanceof MissingCodeError
      ? reason
      : `the flow directory ${dir} could not be written: ${reason}`;
  }

  return {
    failed(problem, isEnding) {
      latest = problem;
      hasFailed = true;
      if (isTold || isEnding) return;
      isTold = true;
      process.emitWarning(`${problemText()}; ${HINT}`, { type, code });
    },
    ended(missing) {
      const text = missingText(missing);
      if (!hasFailed || isEndTold || (isTold && text === "")) return;
      isEndTold = true;
      warnAtEnd(code, `${withBetween(problemText(), "; ", text)}; ${HINT}`);
    },
  };
}

/** With nothing but what the language itself does: an app may have taken what else it brings, and that is why records are lost. */
function missingText({ records, lostRecords, documents }: Missing): string {
  const ofRecords = lostRecords > 0 ? `${lostRecords} of ${records} records are lost` : "";
  const ofDocuments = documents > 0 ? `documents that are not up to date: ${documents}` : "";
  return withBetween(ofRecords, ", ", ofDocuments);
}

function withBetween(first: string, between: string, second: string): string {
  return first !== "" && second !== "" ? `${first}${between}${second}` : `${first}${second}`;
}
