// What vitest's JSON report says: how many tests passed and were skipped, and which failed.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** So many lines of a failure's message tell what was expected, and where in our own files. */
const LINES_OF_A_MESSAGE = 8;

function firstLines(message) {
  return stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s+at .*(node_modules|<anonymous>)/.test(line))
    .slice(0, LINES_OF_A_MESSAGE);
}

/** `{ title, lines }` for each test that failed, and for each file that failed without one. */
function failuresIn(report, root) {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed") {
      return [{ title: file, lines: firstLines(message) }];
    }
    return failed.map(({ ancestorTitles, title, failureMessages }) => ({
      title: [file, ...ancestorTitles, title].join(" > "),
      lines: firstLines(failureMessages.join("\n")),
    }));
  });
}

/** What vitest wrote to `path`, or nothing when it didn't come that far. Files are named from `root`. */
export function readVitestReport(path, root) {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0, failures: [] };
  const report = JSON.parse(readFileSync(path, "utf8"));
  const failures = failuresIn(report, root);
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}
