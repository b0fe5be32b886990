import { homedir } from "node:os";
import { join } from "node:path";

/** Outside the tree: programs that the stack tests built or installed, each under its name and version. */
export const TOOL_CACHE: string = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "thoughtflow-stack",
);
