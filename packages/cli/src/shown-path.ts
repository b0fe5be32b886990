import { relative } from "node:path";

/** A path as a user at `cwd` would write it: relative where that is below, else as it is. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}
