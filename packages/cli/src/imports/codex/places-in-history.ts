import { hash } from "node:crypto";
import type { GenAiMessage } from "@thoughtflow/semconv";
import { agentMessageOf, messageOf, type RolloutLine } from "./records.ts";

/** What a line says to a model, or of it. */
export function messageIn({ kind, payload }: RolloutLine): GenAiMessage | undefined {
  if (kind !== "response_item") return undefined;
  return payload["type"] === "agent_message"
    ? { role: "user", parts: agentMessageOf(payload) }
    : messageOf(payload);
}

/** Where an item stands that follows one which stands at `place`: by all items up to there. */
export function placeAfter(place: string, line: RolloutLine): string {
  return hash("sha256", place + JSON.stringify(messageIn(line)), "base64");
}

/**
 * Whether a thread that begins so begins as another one does, up to an answer of that.
 *
 * @param isTold Whether that one has told what stands at a place.
 */
export function isBegunElsewhere(
  lines: readonly RolloutLine[],
  isTold: (place: string) => boolean,
): boolean {
  let place = "";
  return lines.some((line) => {
    if (line.kind !== "response_item") return false;
    place = placeAfter(place, line);
    return messageIn(line)?.role === "assistant" && isTold(place);
  });
}
