// An app that declares what it does: so many runs of the session "s", one after the other, a step in each,
// which rests on the one that its arguments name, if any. It prints the name of its last step.
import { setTimeout } from "node:timers/promises";
import { startThoughtFlow } from "@thoughtflow/node";
import { withRun, withStep } from "@thoughtflow/tracing";

const [count, dependsOn] = process.argv.slice(2);
startThoughtFlow();
let last = "";
for (let n = 0; n < Number(count); n += 1) {
  await withRun({ session: "s", name: `run ${n}` }, async (run) => {
    await withStep(
      { label: "node", id: `step ${n}`, ...(dependsOn && { dependsOn }) },
      async (step) => {
        last = `${run.id}/${step.id}`;
        await setTimeout(5);
      },
    );
  });
}
console.log(last);
