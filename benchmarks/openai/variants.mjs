/**
 * Ways to call openai, each in a process of its own. `module` exports `start(options, settings)`, which sets up the
 * process and gives the client to call, `settle`, after which its calls are recorded; `inRun`, which does some work
 * in a span of the app; `recorded`, the text of all that was recorded; and, where something is left to do after the
 * recording, `write`, `tidy` and the `share` of a block's calls that is made, so that this doesn't take too long; then
 * `aside` does some work as one thing to write.
 * `hasContent` is false where nothing of what was said is recorded.
 */
export const variants = [
  { name: "bare", module: "bare", hasContent: false },
  { name: "ThoughtFlow, files", module: "thoughtflow-files" },
  { name: "ThoughtFlow", module: "thoughtflow-spans", settings: { masked: true } },
  { name: "ThoughtFlow, unmasked", module: "thoughtflow-spans", settings: { masked: false } },
  {
    name: "ThoughtFlow, OTLP bytes",
    module: "thoughtflow-spans",
    settings: { masked: true, otlp: true },
  },
  { name: "pure OTel 2.12", module: "pure-otel", hasContent: false },
  { name: "OpenInference 4.2.7", module: "openinference" },
  { name: "OTel contrib 0.21.0", module: "otel-contrib" },
  { name: "Langfuse 5.11.1", module: "langfuse" },
  { name: "Traceloop 0.27.0", module: "traceloop" },
  { name: "LangSmith 0.12.0, null client", module: "langsmith", settings: { real: false } },
  { name: "LangSmith 0.12.0, real client", module: "langsmith", settings: { real: true } },
  { name: "Sentry 11.12.0", module: "sentry", execArgv: ["--import", "@sentry/node/import"] },
  { name: "dd-trace 6.21.0", module: "datadog", execArgv: ["--import", "dd-trace/register.js"] },
];
