import { AggregatorRegistry, Counter, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { createCallCounter, createCallHistogram } from "./call-series.ts";
import { createLabelSets } from "./label-sets.ts";

const BOUNDS = [0.5, 1, 10];
const help = "What it is.";
const noLabels = createLabelSets();
const sets = [noLabels, noLabels.with("a", "1"), noLabels.with("a", "1").with("b", 'x "y"')];

/** The same values in our series and in prom-client's own. */
function setUp() {
  const [ours, theirs] = [new Registry(), new Registry()];
  let reads = 0;
  const config = { registry: ours, help, beforeRead: () => void reads++ };
  const counter = createCallCounter({ ...config, name: "c_total" });
  const histogram = createCallHistogram({ ...config, name: "h" }, BOUNDS);
  const more = { help, labelNames: ["a", "b"], registers: [theirs] };
  const peerCounter = new Counter({ ...more, name: "c_total" });
  const peerHistogram = new Histogram({ ...more, name: "h", buckets: BOUNDS });
  for (const [index, value] of [0, 0.5, 0.6, 1, 3, 10, 11, 1e9].entries()) {
    const set = sets[index % sets.length] ?? noLabels;
    counter.add(set, value);
    peerCounter.inc(set.labels, value);
    histogram.add(set, value);
    peerHistogram.observe(set.labels, value);
  }
  return { ours, theirs, reads: () => reads };
}

test("what is shown is what prom-client shows of the same values", async () => {
  const { ours, theirs, reads } = setUp();
  const text = await ours.metrics();
  expect(text.split("\n").toSorted()).toEqual((await theirs.metrics()).split("\n").toSorted());
  expect(reads()).toBe(2);
});

test("several workers' series are added up like prom-client's", async () => {
  const { ours, theirs } = setUp();
  const [sum, peers] = await Promise.all(
    [ours, theirs].map(async (registry) =>
      AggregatorRegistry.aggregate([
        await registry.getMetricsAsJSON(),
        await registry.getMetricsAsJSON(),
      ] as never).metrics(),
    ),
  );
  expect(sum?.split("\n").toSorted()).toEqual(peers?.split("\n").toSorted());
});
