import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { realFileSystem } from "./file-system.ts";
import { createFlowDirectory } from "./flow-directory.ts";
import { createResponseIndex, eraseResponses } from "./response-index.ts";

let dir: string;

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), "response-index-")), "flows");
});

afterEach(() => rmSync(dirname(dir), { recursive: true, force: true }));

const process = (limit?: number) =>
  createResponseIndex({
    directory: createFlowDirectory(dir, realFileSystem),
    ...(limit !== undefined && { limit }),
  });

const place = (sessionId: string, isCounted = false) => ({
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
  sessionId,
  isCounted,
});

it("tells every process what another one wrote, the newest of an id", () => {
  const [one, other] = [process(), process()];
  expect(other.find("resp_1")).toBeUndefined();
  expect(existsSync(dir)).toBe(false);
  one.add("resp_1", place("s"));
  one.add('odd "id"\n[', place("t"));
  expect(one.find("resp_1")).toEqual(place("s"));
  one.flushSync();
  expect(other.find("resp_1")).toEqual(place("s"));
  expect(other.find('odd "id"\n[')).toEqual(place("t"));
  other.add("resp_1", place("s", true));
  other.flushSync();
  expect(one.find("resp_1")).toEqual(place("s", true));
  expect(one.find("resp_")).toBeUndefined();
});

it("keeps the latest alone", () => {
  const index = process(1_000);
  for (let n = 0; n < 50; n++) {
    index.add(`resp_${n}`, place("s"));
    index.flushSync();
  }
  expect(index.find("resp_0")).toBeUndefined();
  expect(index.find("resp_45")).toEqual(place("s"));
  expect(index.find("resp_49")).toEqual(place("s"));
});

it("loses no other line to one that was cut off", () => {
  const index = process();
  index.add("resp_1", place("s"));
  index.flushSync();
  appendFileSync(join(dir, ".journal", "responses.jsonl"), '\n["resp_2","aaaa');
  index.add("resp_3", place("s"));
  index.flushSync();
  expect(index.find("resp_1")).toEqual(place("s"));
  expect(index.find("resp_2")).toBeUndefined();
  expect(index.find("resp_3")).toEqual(place("s"));
});

it("forgets erased sessions", () => {
  const index = process();
  index.add("resp_1", place("gone"));
  index.add("resp_2", place("kept"));
  index.flushSync();
  eraseResponses(dir, new Set(["gone"]));
  expect(index.find("resp_1")).toBeUndefined();
  expect(index.find("resp_2")).toEqual(place("kept"));
});

it("is silent where nothing can be written", () => {
  const index = createResponseIndex({
    directory: createFlowDirectory("/proc/nowhere", realFileSystem),
  });
  index.add("resp_1", place("s"));
  index.flushSync();
  expect(index.find("resp_1")).toBeUndefined();
});
