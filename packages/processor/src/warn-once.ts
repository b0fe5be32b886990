import { writeSync } from "node:fs";
import { MissingCodeError } from "./missing-code-error.ts";

const warned = new Set<string>();
const type = "ThoughtFlowWarning";
const code = "THOUGHTFLOW_DIRECTORY";

/**
 * Says once for each directory, and loudly, that it can't be written; what follows is counted. `isLast`: the
 * process ends, and a warning that is emitted would not be shown any more.
 */
export function warnOnce(dir: string, problem: unknown, isLast: boolean): void {
  if (warned.has(dir)) return;
  warned.add(dir);
  const reason = problem instanceof Error ? problem.message : String(problem);
  const message =
    problem instanceof MissingCodeError
      ? reason
      : `the flow directory ${dir} could not be written: ${reason}`;
  if (!isLast) {
    process.emitWarning(message, { type, code });
    return;
  }
  try {
    writeSync(2, `(node:${process.pid}) [${code}] ${type}: ${message}\n`);
  } catch {
    // Nobody reads stderr: there is no one left to tell.
  }
}
