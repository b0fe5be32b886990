import type { Metric, Registry } from "prom-client";
import type { LabelSet } from "./label-sets.ts";

/** A metric of model calls, told apart by sets of labels. */
export interface CallSeries {
  add(set: LabelSet, value: number): void;
}

export interface CallSeriesConfig {
  readonly registry: Registry;
  readonly name: string;
  readonly help: string;
  /** Called before it is read: what it adds is among what is read. */
  readonly beforeRead: () => void;
}

/** What prom-client reads of a metric, whoever keeps it. */
interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A counter. Unlike prom-client's it finds a series by the identity of its labels, which takes a tenth of the time. */
export function createCallCounter(config: CallSeriesConfig): CallSeries {
  const sums = new Map<LabelSet, number>();
  registerCallSeries(config, "counter", () =>
    Array.from(sums, ([{ labels }, value]): Sample => ({ labels, value })),
  );
  return { add: (set, value) => void sums.set(set, (sums.get(set) ?? 0) + value) };
}

/** The values of one set of labels. */
interface Distribution {
  /** How many are at most the bound of the same place, and more than the one before. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** A histogram, in the same way. @param bounds ascending */
export function createCallHistogram(
  config: CallSeriesConfig,
  bounds: readonly number[],
): CallSeries {
  const { name } = config;
  const series = new Map<LabelSet, Distribution>();

  function samplesOf({ labels }: LabelSet, { counts, sum, count }: Distribution): Sample[] {
    let upTo = 0;
    const bucket = (le: number | string, value: number): Sample => ({
      metricName: `${name}_bucket`,
      labels: { le, ...labels },
      value,
    });
    return [
      ...bounds.map((bound, index) => {
        upTo += counts[index] ?? 0;
        return bucket(bound, upTo);
      }),
      bucket("+Inf", count),
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }

  registerCallSeries(config, "histogram", () =>
    Array.from(series, (one) => samplesOf(...one)).flat(),
  );
  return {
    add(set, value) {
      let known = series.get(set);
      if (known === undefined) {
        known = { counts: bounds.map(() => 0), sum: 0, count: 0 };
        series.set(set, known);
      }
      const index = bounds.findIndex((bound) => value <= bound);
      if (index !== -1) known.counts[index] = (known.counts[index] ?? 0) + 1;
      known.sum += value;
      known.count += 1;
    },
  };
}

/** A metric that is kept elsewhere: prom-client asks it for no more than `get`, though its types say otherwise. */
export function registerCallSeries(
  { registry, name, help, beforeRead }: CallSeriesConfig,
  type: "counter" | "histogram",
  samples: () => readonly Sample[],
): void {
  const metric = {
    name,
    async get() {
      beforeRead();
      return { name, help, type, values: samples(), aggregator: "sum" };
    },
  };
  registry.registerMetric(metric as unknown as Metric);
}
