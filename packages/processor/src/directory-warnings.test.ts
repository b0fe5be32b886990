import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createDirectoryWarnings } from "./directory-warnings.ts";

const BEGIN =
  "the flow directory /flows could not be written: ENOSPC; `thoughtflow doctor` finds the cause";
const NOTHING = { records: 10, lostRecords: 0, documents: 0 };

let begun: unknown[];
let ended: string[];

beforeEach(() => {
  begun = [];
  ended = [];
  vi.spyOn(process, "emitWarning").mockImplementation((message) => void begun.push(message));
  const note = (warning: Error) => void ended.push(`${warning.name}: ${warning.message}`);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("a directory that can't be written is told when it begins, and at the end with what is missing", () => {
  const warnings = createDirectoryWarnings("/flows");
  warnings.failed("ENOSPC", false);
  warnings.failed("ENOSPC", false);
  warnings.ended({ records: 10, lostRecords: 4, documents: 2 });
  warnings.ended({ records: 10, lostRecords: 4, documents: 2 });
  expect(begun).toEqual([BEGIN]);
  expect(ended).toEqual([
    "ThoughtFlowWarning: the flow directory /flows could not be written: ENOSPC; 4 of 10 records are lost, documents that are not up to date: 2; `thoughtflow doctor` finds the cause",
  ]);
});

test("one that took everything in the end is told once", () => {
  const warnings = createDirectoryWarnings("/flows");
  warnings.failed(new Error("ENOSPC"), false);
  warnings.ended(NOTHING);
  expect([begun, ended]).toEqual([[BEGIN], []]);
});

test("where nothing went wrong nothing is told, though documents are left to the next process", () => {
  createDirectoryWarnings("/flows").ended({ ...NOTHING, documents: 3 });
  expect([begun, ended]).toEqual([[], []]);
});

test("what goes wrong only at the end is told then, and a listener that throws is no matter", () => {
  const fails = () => {
    throw new Error("the app's listener");
  };
  process.on("warning", fails);
  onTestFinished(() => void process.off("warning", fails));
  const warnings = createDirectoryWarnings("/flows");
  warnings.failed("ENOSPC", true);
  warnings.ended(NOTHING);
  expect([begun, ended]).toEqual([[], [`ThoughtFlowWarning: ${BEGIN}`]]);
});
