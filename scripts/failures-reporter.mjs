// A vitest reporter for `ci.mjs`: writes to the file that CI_REPORT names how many tests passed and
// were skipped, and which failed and why, as JSON.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** So many lines of an error tell what was expected and what came; the stack is in the log above. */
const LINES_OF_AN_ERROR = 12;

function linesOf({ message, diff, stacks = [] }, root) {
  const own = stacks.find(({ file }) => !file.includes("node_modules"));
  const place = own && `at ${relative(root, own.file)}:${own.line}:${own.column}`;
  return [place, message, diff]
    .filter((text) => text !== undefined)
    .flatMap((text) => stripVTControlCharacters(text).split("\n"))
    .filter((line) => line.trim() !== "")
    .map((line) => line.slice(0, 300))
    .slice(0, LINES_OF_AN_ERROR);
}

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter of a path by its default export.
export default class FailuresReporter {
  #root = "";

  onInit(vitest) {
    this.#root = vitest.config.root;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const failed = (title, errors) => ({
      title,
      lines: errors.flatMap((error) => linesOf(error, this.#root)),
    });
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    // A file that doesn't load and a hook that throws fail without a failing test.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failures = [
      ...tests
        .filter((test) => test.result().state === "failed")
        .map((test) =>
          failed(`${test.module.relativeModuleId} > ${test.fullName}`, test.result().errors),
        ),
      ...suites
        .filter((suite) => suite.errors().length > 0)
        .map((suite) => failed((suite.module ?? suite).relativeModuleId, suite.errors())),
      ...unhandledErrors.map((error) => failed("outside of any test", [error])),
    ];
    const report = { passed: count("passed"), skipped: count("skipped"), failures };
    writeFileSync(process.env.CI_REPORT, JSON.stringify(report));
  }
}
