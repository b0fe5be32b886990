import type { GenAiMessage } from "@thoughtflow/semconv";
import type { TrackedRequest } from "../src/agent-tracker.ts";

/** Makes the requests of an agent, each a millisecond after the one before. */
export function createRequests(): (
  requestId: string,
  messages: readonly GenAiMessage[],
  more?: Partial<TrackedRequest>,
) => TrackedRequest {
  let ms = 0;
  return (requestId, messages, more = {}) => ({
    ...{ requestId, ms: ms++, messages, system: "You work.\nIt is 10:00.", tools: 3 },
    ...more,
  });
}
