import { writeSync } from "node:fs";
import { format } from "node:util";
import { type DiagLogger, DiagLogLevel, diag } from "@opentelemetry/api";
import { currentRedactor } from "@thoughtflow/tracing/internal";
import type { LogLevel } from "./options.ts";

const levels: Readonly<Record<LogLevel, DiagLogLevel>> = {
  none: DiagLogLevel.NONE,
  error: DiagLogLevel.ERROR,
  warn: DiagLogLevel.WARN,
  info: DiagLogLevel.INFO,
  debug: DiagLogLevel.DEBUG,
  verbose: DiagLogLevel.VERBOSE,
  all: DiagLogLevel.ALL,
};

/** Sends OpenTelemetry's diagnostics to stderr, redacted, since they tell of resources and errors: its own console logger would put some of them on the app's stdout. */
export function logDiagnostics(level: LogLevel): void {
  if (level === "none") return;
  diag.setLogger(createStderrLogger(), {
    logLevel: levels[level],
    suppressOverrideMessage: true,
  });
}

function createStderrLogger(): DiagLogger {
  const writer =
    (level: string) =>
    (...parameters: unknown[]): void => {
      try {
        const words = currentRedactor().text(format(...parameters), "diag");
        writeSync(2, `otel ${level}: ${words}\n`);
      } catch {
        // Nobody reads stderr.
      }
    };
  return {
    error: writer("error"),
    warn: writer("warn"),
    info: writer("info"),
    debug: writer("debug"),
    verbose: writer("verbose"),
  };
}
