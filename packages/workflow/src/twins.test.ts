import { expect, test } from "vitest";
import { type Ending, Twins } from "./twins.ts";

const ending = (n: number): Ending => ({
  conversation: { id: `c${n}`, sessionId: `s${n}` },
  traceId: `t${n}`,
  spanId: `c${n}`,
  continued: false,
});

test("of more than are told apart the older half is forgotten, and the others are found", () => {
  const all = Array.from({ length: 1_000 }, (_, n) => ending(n));
  const [first, ...rest] = all as [Ending, ...Ending[]];
  const twins = new Twins(first, 100);
  for (const [n, one] of rest.entries()) {
    twins.add(one);
    expect(twins.latestOf(one.conversation)).toBe(one);
    expect(twins.conversations).toBe(n < 99 ? n + 2 : 51 + ((n - 99) % 50));
  }
  expect(twins.of("s0")).toBeUndefined();
  expect(twins.of("s999")).toBe(all[999]);
  const kept = all.slice(1_000 - twins.conversations);
  expect(twins.next()).toBe(kept[0]);
  for (const one of kept) one.continued = true;
  expect(twins.next()).toBe(all[999]);
});
