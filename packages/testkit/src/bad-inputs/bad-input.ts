/** Something that must do no harm, whoever gets it. */
export interface BadInput<Value> {
  /** Its number in the list of 175: 1–30 identifiers, 31–72 spans, 73–100 values, 101–128 flows, 129–149 texts, 150–162 requests, 163–175 surroundings. */
  readonly item: number;
  readonly name: string;
  readonly value: Value;
}

/** An item with one value or several. */
export function item<Value>(
  number: number,
  name: string,
  ...values: readonly Value[]
): readonly BadInput<Value>[] {
  return values.map((value) => ({ item: number, name, value }));
}
