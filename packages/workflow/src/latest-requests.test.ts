import { expect, test } from "vitest";
import { createLatestRequests } from "./latest-requests.ts";
import type { RequestNode } from "./workflow-document.ts";

const node = (agent: string, index: number, seconds?: number): RequestNode => ({
  id: `${agent}_req_${index}`,
  request_id: `${agent}${index}`,
  agent_id: agent,
  index,
  label: "",
  is_root: false,
  ...(seconds !== undefined && { timestamp: new Date(seconds * 1_000).toISOString() }),
});

test("the last request of an agent that began no later is found by times, and by its place where there are none", () => {
  const latest = createLatestRequests([
    ...[node("a", 0, 10), node("a", 1, 30), node("a", 2, 20), node("a", 3)],
    ...[node("b", 0, 25), node("b", 1, 5), node("b", 2)],
    ...[node("a", 4), node("a", 5, 40)],
  ]);
  expect(
    ["b_req_0", "b_req_1", "b_req_2", "a_req_3"].map((id) => [latest("a", id), latest("x", id)]),
  ).toEqual([
    ["a_req_3", undefined],
    ["a_req_3", undefined],
    ["a_req_3", undefined],
    ["a_req_2", undefined],
  ]);
  expect(createLatestRequests([node("a", 0, 9), node("b", 0, 5)])("a", "b_req_0")).toBe("a_req_0");
  const timed = createLatestRequests([10, 30, 20, 40].map((at, n) => node("a", n, at)));
  expect([0, 1, 2, 3].map((n) => timed("a", `a_req_${n}`))).toEqual([
    ...["a_req_0", "a_req_2", "a_req_2", "a_req_3"],
  ]);
});

/** How often times are compared to find the request in which one agent asked for each of so many others. */
function comparisonsOf(count: number): number {
  let comparisons = 0;
  class ComparedTime extends String {
    override valueOf(): string {
      comparisons++;
      return super.valueOf();
    }
  }
  const timed = (agent: string, index: number, seconds: number): RequestNode => {
    const time = new ComparedTime(new Date(seconds * 1_000).toISOString());
    return { ...node(agent, index), timestamp: time as string };
  };
  const numbers = Array.from({ length: count }, (_, n) => n);
  const latest = createLatestRequests([
    ...numbers.map((n) => timed("main", n, 2 * n)),
    ...numbers.map((n) => timed(`a${n}`, 0, 2 * n + 1)),
  ]);
  for (const n of numbers) expect(latest("main", `a${n}_req_0`)).toBe(`main_req_${n}`);
  return comparisons;
}

test("that of each of thousands of agents is found among few of those of the one that asked for them", () => {
  expect(comparisonsOf(4_000) / comparisonsOf(1_000)).toBeLessThan(5);
});
