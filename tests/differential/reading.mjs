// How an app reads a stream or a list that the SDK gives.
import { outcome } from "./noticed.mjs";

/** Everything that it gives, to its end. */
export const read = async (source) => {
  const all = [];
  for await (const one of source) all.push(one);
  return all;
};

/** What it gives until it throws, and what it threw. */
export const readUntilError = async (source) => {
  const all = [];
  const end = await outcome(async () => {
    for await (const one of source) all.push(one);
  });
  return [all, end];
};
