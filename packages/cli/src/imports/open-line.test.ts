import { expect, test } from "vitest";
import { createOpenLine } from "./open-line.ts";

const MIB = 2 ** 20;

test("a line of parts is whole, and the next one has nothing of it", () => {
  const line = createOpenLine();
  line.add(Buffer.from("one "));
  line.add(Buffer.from("two"));
  expect(line.bytes().toString()).toBe("one two");
  line.clear();
  expect(line.length).toBe(0);
  line.add(Buffer.from("3"));
  expect(line.bytes().toString()).toBe("3");
});

test("the memory of a long line is given back at once", () => {
  const held = (): number => process.memoryUsage.rss() / MIB;
  const line = createOpenLine();
  const piece = Buffer.alloc(MIB, "x");
  for (let n = 0; n < 60; n++) line.add(piece);
  const before = held();
  line.clear();
  expect(before - held()).toBeGreaterThan(50);
});
