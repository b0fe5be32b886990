import type { Problem, Session } from "@thoughtflow/schema";
import { thoughtProblems } from "@thoughtflow/thoughts/schemas";

/** What the thoughts of a session lack by the rules of their types, and what they have too much. */
export function thoughtWarnings({ conversations }: Session): readonly Problem[] {
  return conversations.flatMap(({ steps }, run) =>
    steps.flatMap(({ label, payload_started: payload }, at) => {
      // Without content there is only its structure; a very long one stands beside the document.
      if (label !== "thought" || payload?.["thought"] === undefined) return [];
      const thought = isElsewhere(payload["thought"]) ? { ...payload, thought: "" } : payload;
      return thoughtProblems(thought).map(
        ({ path, message }): Problem => ({
          code: "wrong_value",
          path: ["conversations", run, "steps", at, "payload_started", ...path],
          message: `is no good thought: ${message}`,
        }),
      );
    }),
  );
}

function isElsewhere(text: unknown): boolean {
  return typeof text === "object" && text !== null && "$blob" in text;
}
