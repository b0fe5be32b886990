import { InvalidOptionsError } from "./invalid-options-error.ts";
import { type MessageContent, messageContentFrom } from "./message-content-variable.ts";
import type {
  LogLevel,
  RedactHook,
  SpanLimitsConfig,
  ThoughtFlowConfig,
  ThoughtFlowOptions,
} from "./options.ts";
import { resolveOtlp } from "./resolve-otlp.ts";
import { createSettingReader, type Environment, type SettingReader } from "./setting-reader.ts";
import { unknownOptions } from "./unknown-options.ts";

const messageContent = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

const MAX_DISK_BYTES = 10 * 2 ** 30;

const logLevels: readonly LogLevel[] = ["none", "error", "warn", "info", "debug", "verbose", "all"];

/**
 * Options as passed, then the environment, then defaults, in one complete configuration. Pure.
 *
 * @throws InvalidOptionsError naming every option or variable that can't be used, and its value; options that don't exist among them. Variables that
 * OpenTelemetry defines fall back to their defaults instead, with a notice, as it specifies.
 */
export function resolveThoughtFlowOptions(
  options: ThoughtFlowOptions = {},
  environment: Environment = {},
): ThoughtFlowConfig {
  const reader = createSettingReader(environment);
  reader.problems.push(...unknownOptions(options));
  const sessionId = reader.string("sessionId", options.sessionId, "THOUGHTFLOW_SESSION_ID");
  const prices = reader.string("prices", options.prices, "THOUGHTFLOW_PRICES");
  const storeUrl = reader.string("storeUrl", options.storeUrl, "THOUGHTFLOW_STORE_URL");
  const otlp = resolveOtlp(options.otlp, reader);
  const isSaid = options.captureContentOnSpans !== undefined;
  const messages = isSaid ? { onSpans: false, inLogs: false } : messageContentIn(reader);
  const config: ThoughtFlowConfig = {
    dir: reader.string("dir", options.dir, "THOUGHTFLOW_DIR") ?? "thoughtflow",
    ...(sessionId === undefined ? {} : { sessionId }),
    disabled:
      (reader.boolean("disabled", options.disabled, "THOUGHTFLOW_DISABLED") ?? false) ||
      isSdkDisabled(reader),
    maxDiskBytes:
      reader.bytes("maxDiskBytes", options.maxDiskBytes, "THOUGHTFLOW_MAX_DISK_BYTES") ??
      MAX_DISK_BYTES,
    captureContent:
      reader.content("captureContent", options.captureContent, "THOUGHTFLOW_CAPTURE_CONTENT") ??
      true,
    captureContentOnSpans:
      reader.content("captureContentOnSpans", options.captureContentOnSpans, "") ??
      messages.onSpans,
    captureContentInLogs:
      reader.content("captureContentInLogs", options.captureContentInLogs, "") ?? messages.inLogs,
    captureRaw:
      reader.boolean("captureRaw", options.captureRaw, "THOUGHTFLOW_CAPTURE_RAW") ?? false,
    redact: redaction(options.redact, reader),
    derivedRuns:
      reader.boolean("derivedRuns", options.derivedRuns, "THOUGHTFLOW_DERIVED_RUNS") ?? true,
    legacyNames:
      reader.boolean("legacyNames", options.legacyNames, "THOUGHTFLOW_LEGACY_NAMES") ?? false,
    ...(prices === undefined ? {} : { prices }),
    ...(storeUrl === undefined ? {} : { storeUrl }),
    logLevel: logLevel(options.logLevel, reader),
    ...(otlp === undefined ? {} : { otlp }),
    spanLimits: spanLimits(reader),
    notices: reader.notices,
  };
  if (reader.problems.length > 0) throw new InvalidOptionsError(reader.problems);
  return config;
}

/** The configuration that the process's environment asks for. For callers who set up OpenTelemetry themselves. */
export function optionsFromEnvironment(): ThoughtFlowConfig {
  return resolveThoughtFlowOptions({}, process.env);
}

/** OpenTelemetry knows one word for yes here, and takes everything else for no. */
function isSdkDisabled(reader: SettingReader): boolean {
  return reader.variable("OTEL_SDK_DISABLED")?.toLowerCase() === "true";
}

/** Read only where no option says it: an unknown word must not be told to somebody whom it doesn't concern. */
function messageContentIn(reader: SettingReader): MessageContent {
  const text = reader.variable(messageContent) ?? "";
  const known = messageContentFrom(text);
  if (known !== undefined) return known;
  reader.notices.push(
    `${messageContent} is "${text}", which is unknown; content stays off spans and logs`,
  );
  return { onSpans: false, inLogs: false };
}

function redaction(
  passed: ThoughtFlowOptions["redact"],
  reader: SettingReader,
): boolean | RedactHook {
  if (typeof passed === "function") return passed;
  return reader.boolean("redact", passed, "THOUGHTFLOW_REDACT") ?? true;
}

function logLevel(passed: unknown, reader: SettingReader): LogLevel {
  const own = reader.choice("logLevel", passed, "THOUGHTFLOW_LOG_LEVEL", logLevels);
  const general = reader.variable("OTEL_LOG_LEVEL")?.toLowerCase();
  return own ?? logLevels.find((level) => level === general) ?? "none";
}

/** OpenTelemetry's default of 128 links would lose the oldest dependencies of a step first. */
function spanLimits(reader: SettingReader): SpanLimitsConfig {
  const count = (name: string, fallback: number) =>
    reader.count(`OTEL_SPAN_${name}`, 0, reader.count(`OTEL_${name}`, 0, fallback));
  const attributeCountLimit = count("ATTRIBUTE_COUNT_LIMIT", 256);
  if (attributeCountLimit === 0)
    reader.notices.push("A limit of 0 attributes a span leaves nothing to write files from");
  return {
    attributeCountLimit,
    attributeValueLengthLimit: count("ATTRIBUTE_VALUE_LENGTH_LIMIT", Number.POSITIVE_INFINITY),
    linkCountLimit: reader.count("OTEL_SPAN_LINK_COUNT_LIMIT", 0, 1024),
    eventCountLimit: reader.count("OTEL_SPAN_EVENT_COUNT_LIMIT", 0, 1024),
  };
}
