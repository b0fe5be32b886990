import { defaultRedactor, type Redactor } from "@thoughtflow/redaction";
import { boundedJson, boundedRedactor } from "./bounded-content.ts";
import { processState } from "./process-state.ts";

interface Redaction {
  redactor: Redactor;
  /** Grows when the redactor changes, so that text made by the former one is not used again. */
  generation: number;
}

const redaction = processState<Redaction>("redaction.v1", () => ({
  redactor: boundedRedactor(defaultRedactor),
  generation: 0,
}));

/** Sets the redactor of the whole process, `defaultRedactor` until then. Text that was made with the former one is made anew when asked for. */
export function setRedactor(redactor: Redactor): void {
  redaction.redactor = boundedRedactor(redactor);
  redaction.generation += 1;
}

/** The redactor in use, for what is not content: names, status messages, exceptions. */
export function currentRedactor(): Redactor {
  return redaction.redactor;
}

/** Which redactor made a text: equal numbers, equal redactor. */
export function redactionGeneration(): number {
  return redaction.generation;
}

/**
 * A content value as JSON text, redacted. Total: what can't be redacted or written, or is too long to be kept, is replaced
 * by a note.
 */
export function toContentJson(value: unknown, attribute: string): string {
  try {
    return boundedJson(redaction.redactor.value(value, attribute));
  } catch {
    return '"[redacted: error]"';
  }
}
