import type { Step } from "@thoughtflow/schema";
import { longText } from "./column-values.ts";

/** Of each field so much is searched: 64 Ki characters. */
const MOST_OF_FIELD = 64 * 1024;
/** Of a step all fields together: PostgreSQL takes no words of more than a megabyte. */
const MOST_OF_STEP = 128 * 1024;

/** Names of other steps, and what stands in them anyway. */
const NO_WORDS: ReadonlySet<string> = new Set(["input", "prompt_provenance"]);

/** The words by which a step is found: its name, and every text of its payloads and its error. */
export function stepWords(
  step: Pick<Step, "payload_started" | "payload_completed" | "error">,
): string {
  const words: string[] = [];
  let left = MOST_OF_STEP;
  const take = (value: unknown): void => {
    if (left <= 0) return;
    if (typeof value === "string") {
      const text = value.slice(0, Math.min(MOST_OF_FIELD, left));
      left -= text.length;
      words.push(text);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) if (!NO_WORDS.has(key)) take(inner);
    }
  };
  for (const value of [step.payload_started, step.payload_completed, step.error]) take(value);
  return longText(words.join("\n"));
}
