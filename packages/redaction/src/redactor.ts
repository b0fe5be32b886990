/** Makes values safe to write, in the process that made them, before any sink sees them. */
export interface Redactor {
  /**
   * A plain-JSON copy of any value: strings redacted, base64 above 1 KiB and embedding vectors replaced by a
   * note of what was left out. Total: cycles, throwing getters, bigints, functions and deep nesting all give an
   * answer; a failing hook gives `[redacted: error]`.
   */
  value(value: unknown, attribute: string): unknown;
  /** One string: a name, a status message, a stack. */
  text(text: string, attribute: string): string;
}
