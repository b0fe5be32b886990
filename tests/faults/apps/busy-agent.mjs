// An agent that works until somebody stops it: runs of five steps in the session that its arguments name, and one call
// that hangs from the start. A line for each step that has ended goes to stdout at once: its id, and the time of the event
// loop, which stands still while the machine is busy with others: 10 ms for each beat of a timer.
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { startThoughtFlow } from "@thoughtflow/node";
import { withRun, withStep, withToolCall } from "@thoughtflow/tracing";

const [session, most = "Infinity"] = process.argv.slice(2);
startThoughtFlow();

let loopMs = 0;
setInterval(() => {
  loopMs += 10;
}, 10).unref();

const hanging =
  Number(most) < Infinity
    ? undefined
    : withRun({ session, name: "hanging" }, () =>
        withToolCall({ name: "carrier", args: { parcel: 1 }, id: "hanging" }, () =>
          setTimeout(600_000),
        ),
      );
for (let n = 0; n < Number(most); n += 5) {
  await withRun({ session, name: `run ${n}` }, async () => {
    for (let m = n; m < n + 5; m += 1) {
      const id = `${process.pid}-${m}`;
      await withStep({ label: "node", id }, (step) =>
        step.setOutput({ text: `result ${"x".repeat(m % 300)}` }),
      );
      writeSync(1, `${id} ${loopMs}\n`);
      await setTimeout(2);
    }
  });
}
await hanging;
