/// <reference lib="esnext.disposable" preserve="true" />
import { resolve } from "node:path";
import { trace } from "@opentelemetry/api";
import { endOpenRuns, endOpenStreams, setSpanSink } from "@thoughtflow/instrumentation-openai";
import { installModuleHooks } from "@thoughtflow/instrumentation-openai/module-hooks";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { createRedactor } from "@thoughtflow/redaction";
import { setRedactor, setSpanContentCapture } from "@thoughtflow/tracing/internal";
import { logDiagnostics } from "./diag-logger.ts";
import { atProcessEnd } from "./exit.ts";
import { sinkInto } from "./foreign-provider.ts";
import { openaiSupport } from "./openai-support.ts";
import type { ThoughtFlowConfig, ThoughtFlowOptions } from "./options.ts";
import { claimOtelGlobals } from "./otel-globals.ts";
import { createOtlpSpanProcessor } from "./otlp-span-processor.ts";
import { useOwnPrices } from "./own-prices.ts";
import { MODULE_HOOK_OWNER, processSingleton } from "./process-singleton.ts";
import { resolveThoughtFlowOptions } from "./resolve-options.ts";
import type { ThoughtFlow } from "./running-thoughtflow.ts";
import { toldWhenSlow } from "./slow-hook.ts";
import { followIntoStore } from "./store-follower.ts";
import { tellingOfGaps } from "./telling-of-gaps.ts";
import { createTracerProvider } from "./tracer-provider.ts";
import { warn } from "./warn.ts";

/**
 * Starts ThoughtFlow in this process: files, OTLP if asked for, instrumentation of openai, and the last words at
 * exit. An app that has set up OpenTelemetry before keeps its own provider; ours then only records model calls.
 * A second start gives back the first one's handle, with a warning.
 *
 * @throws InvalidOptionsError when options or variables can't be used; nothing has been started then
 */
export function startThoughtFlow(options: ThoughtFlowOptions = {}): ThoughtFlow {
  const { running } = processSingleton();
  if (running !== undefined) {
    warn("THOUGHTFLOW_ALREADY_STARTED", "ThoughtFlow runs already; these options have no effect.");
    return running;
  }
  const config = resolveThoughtFlowOptions(options, process.env);
  return config.disabled ? createIdle(config) : run(config, options.openai);
}

/** How a run ended that was waiting for its tools; many an app asks for a call that it never answers, and exits. */
const runStatusAt = {
  process_exit: undefined,
  signal: "aborted",
  uncaught_exception: "error",
} as const;

function run(config: ThoughtFlowConfig, openaiClass: unknown): ThoughtFlow {
  for (const notice of config.notices) warn("THOUGHTFLOW_OPTION_NOT_SUPPORTED", `${notice}.`);
  logDiagnostics(config.logLevel);
  if (config.prices !== undefined) useOwnPrices(config.prices);
  const { redact } = config;
  setRedactor(
    createRedactor(
      typeof redact === "function" ? { redact: toldWhenSlow(redact) } : { secrets: redact },
    ),
  );
  setSpanContentCapture(config.captureContentOnSpans);

  // First in the row: a processor that throws keeps those behind it from seeing the span.
  const dir = resolve(config.dir);
  const files = new ThoughtFlowSpanProcessor({ ...config, dir });
  const otlp = config.otlp && createOtlpSpanProcessor(config.otlp, dir);
  const provider = createTracerProvider(
    config,
    otlp === undefined ? [files] : [files, otlp],
    process.env,
  );
  const { storeUrl, prices } = config;
  const store =
    storeUrl === undefined
      ? undefined
      : followIntoStore({ url: storeUrl, dir, prices }, { onChange: tellOfStore() });
  const releaseGlobals = claimOtelGlobals(provider);
  const openai = openaiSupport(config);
  // An app with a provider of its own sends its spans itself; its model calls come to our files all the same.
  const isForeign = releaseGlobals === undefined;
  openai.connect(isForeign ? tellingOfGaps(trace.getTracerProvider()) : provider);
  setSpanSink(isForeign ? sinkInto(files) : undefined);

  installModuleHooks((loaded) => openai.observe(loaded), MODULE_HOOK_OWNER);
  if (openaiClass !== undefined) openai.observe(openaiClass);

  const written = () => files.forceFlush().then(() => store?.pass());
  const flush = async () => {
    const [, sent] = await Promise.allSettled([written(), otlp?.flush()]);
    return (sent.status === "fulfilled" && sent.value) || { unsentSpans: 0 };
  };
  const stopWatching = atProcessEnd({
    flush() {
      endOpenRuns();
      // Files are written at the very end, without the event loop: an app without OTLP and store is not asked to wait.
      const stored = store && written();
      const sent = otlp?.flushBeforeExit();
      return stored === undefined ? sent : Promise.all([stored, sent]).then(() => {});
    },
    finish(reason) {
      endOpenStreams(runStatusAt[reason]);
      endOpenRuns(runStatusAt[reason]);
      files.flushSync(reason);
      otlp?.drainSync();
    },
  });
  const shutdown = async () => {
    if (processSingleton().running !== flow) return;
    delete processSingleton().running;
    stopWatching();
    endOpenRuns();
    openai.connect(undefined);
    setSpanSink(undefined);
    releaseGlobals?.();
    // One try to send, not two: a receiver that never answers takes `timeoutMillis` each time.
    await Promise.allSettled([written(), otlp?.shutdown()]);
    await Promise.allSettled([files.shutdown(), store?.stop()]);
  };
  const flow: ThoughtFlow = { config, flush, shutdown, [Symbol.asyncDispose]: shutdown };
  processSingleton().running = flow;
  return flow;
}

/** Says once that a store takes nothing. */
function tellOfStore(): (problem: string | undefined) => void {
  let isTold = false;
  return (problem) => {
    if (problem === undefined || isTold) return;
    isTold = true;
    const kept = "What it lacks stays in the files and is taken in later.";
    warn("THOUGHTFLOW_STORE_UNREACHABLE", `The store takes nothing: ${problem} ${kept}`);
  };
}

/** What a start gives when ThoughtFlow is switched off. */
function createIdle(config: ThoughtFlowConfig): ThoughtFlow {
  const nothing = async () => {};
  const flush = async () => ({ unsentSpans: 0 });
  return { config, flush, shutdown: nothing, [Symbol.asyncDispose]: nothing };
}
