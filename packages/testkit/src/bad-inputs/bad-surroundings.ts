import { type BadInput, item } from "./bad-input.ts";

/** Environments in which an app may be started. */
export const badEnvironments: readonly BadInput<Readonly<Record<string, string>>>[] = [
  ...item(62, "limits that leave nothing", {
    OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "0",
    OTEL_SPAN_LINK_COUNT_LIMIT: "0",
    OTEL_SPAN_EVENT_COUNT_LIMIT: "0",
    OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: "0",
  }),
  ...item(
    166,
    "settings that can't be",
    { OTEL_BSP_MAX_QUEUE_SIZE: "-1" },
    { OTEL_BSP_SCHEDULE_DELAY: "NaN" },
    { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "9999", OTEL_BSP_MAX_QUEUE_SIZE: "1" },
    { OTEL_SPAN_LINK_COUNT_LIMIT: "1e9" },
    { OTEL_TRACES_SAMPLER: "sometimes" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "collector" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "file:///tmp/x" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "  http://127.0.0.1:9  " },
    { OTEL_BSP_SCHEDULE_DELAY: "" },
  ),
  ...item(
    167,
    "headers that can't be",
    { OTEL_EXPORTER_OTLP_HEADERS: "a=%zz" },
    { OTEL_EXPORTER_OTLP_HEADERS: "a=b\r\nc: d" },
  ),
  ...item(
    168,
    "directories",
    { THOUGHTFLOW_DIR: "/proc/x" },
    { THOUGHTFLOW_DIR: "~" },
    { THOUGHTFLOW_DIR: "x".repeat(5_000) },
    { THOUGHTFLOW_DIR: "/dev/null" },
  ),
  ...item(169, "no home", { HOME: "" }),
  ...item(
    170,
    "another place and language",
    { TZ: "Pacific/Kiritimati", LANG: "C" },
    { TZ: "", LC_ALL: "tr_TR.UTF-8" },
    { NODE_OPTIONS: "--import data:text/javascript,globalThis.preloaded=1" },
  ),
];
