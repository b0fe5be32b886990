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

test("that of thousands of agents which one asked for takes no time", () => {
  const count = 30_000;
  const nodes = Array.from({ length: count }, (_, n) => [
    node("main", n, 2 * n),
    node(`a${n}`, 0, 2 * n + 1),
  ]).flat();
  const own = [...nodes.filter(({ agent_id: id }) => id === "main")];
  const others = nodes.filter(({ agent_id: id }) => id !== "main");
  const before = performance.now();
  const latest = createLatestRequests([...own, ...others]);
  for (const n of [0, 7, count - 1]) expect(latest("main", `a${n}_req_0`)).toBe(`main_req_${n}`);
  for (const { id } of others) latest("main", id);
  expect(performance.now() - before).toBeLessThan(2_000);
});
