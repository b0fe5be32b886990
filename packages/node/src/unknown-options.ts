import type { OptionProblem } from "./invalid-options-error.ts";
import type { OtlpOptions, ThoughtFlowOptions } from "./options.ts";

/** Options by name, each once: a new one that is missing here does not compile. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

const OPTIONS: Names<ThoughtFlowOptions> = {
  dir: true,
  sessionId: true,
  disabled: true,
  maxDiskBytes: true,
  captureContent: true,
  captureContentOnSpans: true,
  captureContentInLogs: true,
  captureRaw: true,
  redact: true,
  derivedRuns: true,
  legacyNames: true,
  prices: true,
  storeUrl: true,
  logLevel: true,
  otlp: true,
  openai: true,
};

const OTLP_OPTIONS: Names<OtlpOptions> = {
  endpoint: true,
  headers: true,
  protocol: true,
  exporter: true,
};

/** What was passed under names that no option has, of `otlp` too: most likely a switch that somebody relies on. */
export function unknownOptions(options: ThoughtFlowOptions): readonly OptionProblem[] {
  const { otlp } = options;
  return [
    ...unknownIn(options, OPTIONS, ""),
    ...(typeof otlp === "object" && otlp !== null ? unknownIn(otlp, OTLP_OPTIONS, "otlp.") : []),
  ];
}

function unknownIn(passed: object, known: object, prefix: string): readonly OptionProblem[] {
  const expected = `no such option; there are ${Object.keys(known).join(", ")}`;
  return Object.entries(passed).flatMap(([name, value]) =>
    value === undefined || Object.hasOwn(known, name)
      ? []
      : [{ name: prefix + name, value, expected }],
  );
}
