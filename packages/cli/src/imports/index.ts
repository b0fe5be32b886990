import { claudeCode } from "./claude-code/claude-code.ts";
import type { ImportFormat, PullFormat } from "./import-format.ts";
import { jaeger } from "./jaeger.ts";
import { otlp } from "./otlp.ts";
import { proxyLog } from "./proxy-log/proxy-log.ts";
import { tempo } from "./tempo.ts";
import { thoughtbox } from "./thoughtbox.ts";

/** Every format that `thoughtflow import` reads, by its name there. */
export const IMPORT_FORMATS: Readonly<Record<string, ImportFormat | PullFormat>> = {
  "claude-code": claudeCode,
  jaeger,
  otlp,
  "proxy-log": proxyLog,
  tempo,
  thoughtbox,
};
