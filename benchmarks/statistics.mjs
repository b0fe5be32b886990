/** The value below which `fraction` of the values lie; sorts a copy. */
export function quantile(values, fraction) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * fraction)];
}

export const median = (values) => quantile(values, 0.5);

/** What a busy machine adds is never negative: the 10th percentile is nearer to the truth than the median. */
export const tenthPercentile = (values) => quantile(values, 0.1);
