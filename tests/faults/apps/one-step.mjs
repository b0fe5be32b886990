// One step of the session "s", by the register hook alone.
import { withRun, withStep } from "@thoughtflow/tracing";

await withRun({ session: "s", name: "run" }, () => withStep({ label: "node", id: "a" }, () => {}));
console.log("done");
