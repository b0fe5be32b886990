/** A set of labels, which tells one series of a metric from another. */
export interface LabelSet {
  readonly labels: Readonly<Record<string, string>>;
  /** The set with one label more; always the same object for the same labels in the same order. */
  with(name: string, value: string): LabelSet;
}

/** As the SDKs of OpenTelemetry have it for a metric; here of all metrics together. */
const MOST_SETS = 2_000;
const LONGEST_VALUE = 200;

/** What OpenTelemetry calls the series of all that is beyond the limit. */
const OVERFLOW_LABEL = "otel_metric_overflow";
const OVERFLOW: LabelSet = { labels: { [OVERFLOW_LABEL]: "true" }, with: () => OVERFLOW };

/**
 * The empty set. Whoever sends spans chooses their labels, and each new set of them takes memory for good: beyond the limit
 * all others are one. Long values are cut.
 */
export function createLabelSets(limit: number = MOST_SETS): LabelSet {
  let sets = 0;

  function create(labels: Readonly<Record<string, string>>): LabelSet {
    const larger = new Map<string, Map<string, LabelSet>>();
    return {
      labels,
      with(name, value) {
        const cut = value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value;
        const byValue = larger.get(name) ?? new Map<string, LabelSet>();
        const known = byValue.get(cut);
        if (known !== undefined) return known;
        if (sets >= limit) return OVERFLOW;
        sets += 1;
        const next = create({ ...labels, [name]: cut });
        larger.set(name, byValue.set(cut, next));
        return next;
      },
    };
  }

  return create({});
}
