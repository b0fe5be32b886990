// Ends steps of the session "s" while the mounted file system that its first argument names becomes read-only, for a
// while or for good: by a mount over it, since what is open for writing keeps one from being mounted anew.
import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { startThoughtFlow } from "@thoughtflow/node";
import { withRun, withStep } from "@thoughtflow/tracing";

const [place, how] = process.argv.slice(2);
const flow = startThoughtFlow();

async function steps(name) {
  await withRun({ session: "s", name }, async () => {
    for (let n = 0; n < 50; n++) await withStep({ label: "node", id: `${name}-${n}` }, () => {});
  });
}

await steps("before");
await flow.flush();
execFileSync("mount", ["--bind", place, place]);
execFileSync("mount", ["-o", "remount,bind,ro", place]);
await steps("during");
await flow.flush();
await setTimeout(100);
if (how === "for a while") {
  execFileSync("umount", [place]);
  await steps("after");
}
console.log("done");
