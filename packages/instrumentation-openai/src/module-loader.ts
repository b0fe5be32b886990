import type { LoadHook } from "node:module";
import { withHandOver } from "./hand-over.ts";

/** The hook of the loader thread that Node before 22.15 has for ES modules. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const source = withHandOver(url, loaded.source);
  return source === undefined ? loaded : { ...loaded, source };
};
