// Two steps of the session "s", a flush, two more, and the end. What has happened goes to stdout at once, a line each.
import { writeSync } from "node:fs";
import { startThoughtFlow } from "@thoughtflow/node";
import { withRun, withStep } from "@thoughtflow/tracing";

const flow = startThoughtFlow();
for (const ids of [
  ["a", "b"],
  ["c", "d"],
]) {
  await withRun({ session: "s", name: ids.join() }, async () => {
    for (const id of ids) {
      await withStep({ label: "node", id }, (step) => step.setOutput({ text: "x".repeat(300) }));
      writeSync(1, `ended ${id}\n`);
    }
  });
  await flow.flush();
  writeSync(1, `flushed ${ids.join(" ")}\n`);
}
