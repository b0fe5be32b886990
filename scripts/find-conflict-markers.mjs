// Fails when a tracked file still has the markers that git writes where a merge conflicts, and says
// where. It needs nothing installed and runs before anything is: pnpm repairs a lockfile with
// markers without a word when it installs. A line of `=` alone is a heading in Markdown and no marker.
import { spawnSync } from "node:child_process";

const MARKER = "^(<{7}|[|]{7}|>{7})( |$)";

const { status, stdout, stderr } = spawnSync(
  "git",
  ["grep", "--line-number", "--text", "--extended-regexp", "-e", MARKER],
  { encoding: "utf8" },
);
// git grep: 0 found, 1 found nothing, everything else is an error.
if (status === 0) console.error(`conflict markers in:\n${stdout}`);
else if (status !== 1) console.error(`git grep failed: ${stderr}`);
process.exitCode = status === 1 ? 0 : 1;
