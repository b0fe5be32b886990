import { startThoughtFlow } from "@thoughtflow/node";
import { recordThought, withRun } from "@thoughtflow/tracing";
const flow = startThoughtFlow({ dir: "/tmp/g6c/flow" });
withRun({ session: "s1" }, () => {
  recordThought({ thought: "One." });
  recordThought({ thought: "Rev.", revisesThought: 99 });
  recordThought({ thought: "Branch.", branchId: "b", branchFromThought: 77 });
  recordThought({ thought: "Merge.", mergesBranches: ["nope"] });
  recordThought({ thought: "About.", relatedTo: "gone" });
});
