// Two ways are thought through side by side, one is chosen, and a thought turns out to be wrong.
import { recordThought, withRun, withSession } from "@thoughtflow/tracing";

withSession({ id: "caching", title: "Which cache?", tags: ["architecture"] }, () =>
  withRun({ name: "architect" }, () => {
    recordThought({ thought: "Reading profiles takes 800 ms: the database is slow." });
    recordThought({
      thought: "Put a cache before it, in Redis or in memory.",
      type: "planning",
      confidence: 0.8,
    });

    const redis = { branchId: "redis", branchFromThought: 2 };
    recordThought({ ...redis, thought: "Redis is shared by all servers." });
    recordThought({
      ...redis,
      thought: "It costs a network hop, and somebody runs it.",
      confidence: 0.7,
    });

    const memory = { branchId: "memory", branchFromThought: 2 };
    recordThought({ ...memory, thought: "In memory there is no hop." });
    recordThought({ ...memory, thought: "Eight servers hold eight copies.", confidence: "high" });

    recordThought({
      thought: "In memory: the profiles are small.",
      type: "decision_frame",
      confidence: 0.75,
      mergesBranches: ["redis", "memory"],
      resolution: "selected",
      selectedBranch: "memory",
      data: {
        options: [
          { label: "In memory", selected: true },
          { label: "Redis", selected: false, reason: "one more thing to run" },
        ],
      },
    });
    recordThought({
      thought: "The trace says otherwise: the database takes 20 ms, the rest waits for a lock.",
      type: "assumption_update",
      confidence: 0.95,
      revisesThought: 1,
      data: { assumptionChange: { oldStatus: "believed", newStatus: "refuted", downstream: [2] } },
    });
  }),
);
