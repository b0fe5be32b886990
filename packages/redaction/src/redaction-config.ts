/** What is to be made safe, and how. */
export interface RedactorOptions {
  /** Mask secrets that look like keys as `[redacted: kind]`. Default true. */
  readonly secrets?: boolean;
  /**
   * Sees every string value once, after the detectors; its answer is what is written. Synchronous: a promise,
   * like a throw or any answer that is no string, gives `[redacted: error]`.
   */
  readonly redact?: (text: string, attribute: string) => string;
  /** What happens to base64 of 1,024 characters and more. Default `omit`: a note with hash and size stays. */
  readonly media?: "omit" | "keep";
}

/** The same with the defaults filled in. */
export interface RedactionConfig {
  readonly secrets: boolean;
  readonly redact: RedactorOptions["redact"];
  readonly media: "omit" | "keep";
}
