import type { OtlpConfig, OtlpExporterName, OtlpOptions, OtlpProtocol } from "./options.ts";
import type { SettingReader } from "./setting-reader.ts";

const defaultEndpoint = "http://localhost:4318";
const path = "v1/traces";

/**
 * Whether and where spans are sent: only where an option or an endpoint variable says so.
 * Source: OpenTelemetry protocol exporter specification.
 */
export function resolveOtlp(
  passed: boolean | OtlpOptions | undefined,
  reader: SettingReader,
): OtlpConfig | undefined {
  if (passed === false) return undefined;
  if (passed !== undefined && passed !== true && (typeof passed !== "object" || passed === null)) {
    reader.problems.push({ name: "otlp", value: passed, expected: "true, false or an object" });
    return undefined;
  }
  if (passed === undefined && !exporterIsWanted(reader)) return undefined;
  const options = typeof passed === "object" ? passed : {};
  const url = endpoint(options.endpoint, passed !== undefined, reader);
  if (url === undefined) return undefined;
  const maxQueueSize = reader.count("OTEL_BSP_MAX_QUEUE_SIZE", 1, 10_240);
  return {
    url,
    headers: { ...headersFromEnvironment(reader), ...headers(options.headers, reader) },
    protocol: protocol(options.protocol, reader),
    exporter:
      reader.choice("otlp.exporter", options.exporter, "THOUGHTFLOW_OTLP_EXPORTER", exporters) ??
      "thoughtflow",
    compression: compression(reader),
    timeoutMillis: forTraces(
      "TIMEOUT",
      (name, otherwise) => reader.count(name, 1, otherwise),
      10_000,
    ),
    scheduleDelayMillis: reader.count("OTEL_BSP_SCHEDULE_DELAY", 0, 1_000),
    maxQueueSize,
    maxExportBatchSize: Math.min(
      reader.count("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 1, 512),
      maxQueueSize,
    ),
    tls: tls(reader),
  };
}

const exporters: readonly OtlpExporterName[] = ["official", "thoughtflow"];

function compression(reader: SettingReader): "none" | "gzip" {
  const text = forTraces(
    "COMPRESSION",
    (name, otherwise) => reader.variable(name) ?? otherwise,
    "",
  );
  if (text !== "" && text !== "none" && text !== "gzip") {
    reader.notices.push(`OTLP compression "${text}" is not supported; none is used`);
  }
  return text === "gzip" ? "gzip" : "none";
}

function exporterIsWanted(reader: SettingReader): boolean {
  const names = (reader.variable("OTEL_TRACES_EXPORTER") ?? "otlp").split(",");
  for (const name of names.map((text) => text.trim())) {
    if (name !== "otlp" && name !== "none") {
      reader.notices.push(`OTEL_TRACES_EXPORTER names "${name}"; only otlp and none are supported`);
    }
  }
  return names.some((name) => name.trim() === "otlp");
}

/** The traces variable is a full URL, the general one and the option are bases. */
function endpoint(
  passed: string | undefined,
  isWanted: boolean,
  reader: SettingReader,
): string | undefined {
  const traces = reader.variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const general = reader.variable("OTEL_EXPORTER_OTLP_ENDPOINT");
  if (passed !== undefined) return httpUrl("otlp.endpoint", passed, withPath, reader);
  if (traces !== undefined) {
    return httpUrl("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", traces, (url) => url, reader);
  }
  if (general !== undefined) {
    return httpUrl("OTEL_EXPORTER_OTLP_ENDPOINT", general, withPath, reader);
  }
  return isWanted ? `${defaultEndpoint}/${path}` : undefined;
}

function httpUrl(
  name: string,
  value: unknown,
  complete: (url: string) => string,
  reader: SettingReader,
): string | undefined {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return complete(url.href);
  reader.problems.push({ name, value, expected: "an http or https URL" });
  return undefined;
}

function withPath(url: string): string {
  if (url.endsWith(`/${path}`)) return url;
  return url.endsWith("/") ? `${url}${path}` : `${url}/${path}`;
}

function protocol(passed: unknown, reader: SettingReader): OtlpProtocol {
  const choices: readonly OtlpProtocol[] = ["http/protobuf", "http/json"];
  if (passed !== undefined) {
    return reader.choice("otlp.protocol", passed, "", choices) ?? "http/protobuf";
  }
  for (const name of ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]) {
    const text = reader.variable(name);
    if (text === undefined) continue;
    const known = choices.find((choice) => choice === text);
    if (known === undefined) {
      reader.notices.push(`${name} is "${text}", which is not supported; http/protobuf is used`);
    }
    return known ?? "http/protobuf";
  }
  return "http/protobuf";
}

function headers(passed: unknown, reader: SettingReader): Readonly<Record<string, string>> {
  if (passed === undefined) return {};
  const entries =
    typeof passed === "object" && passed !== null ? Object.entries(passed) : undefined;
  if (entries?.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
    return Object.fromEntries(entries);
  }
  // Headers hold credentials: the value isn't shown.
  reader.problems.push({ name: "otlp.headers", value: typeof passed, expected: "texts by name" });
  return {};
}

/** `key=value` pairs with percent-encoded values, separated by commas; those for traces win, name by name. */
function headersFromEnvironment(reader: SettingReader): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"]) {
    for (const pair of reader.variable(name)?.split(",") ?? []) {
      const [key, ...rest] = pair.split("=");
      const header = key?.trim();
      if (header === undefined || header === "" || rest.length === 0) {
        if (pair.trim() !== "") {
          reader.notices.push(`${name} has an entry without key or value, which is left out`);
        }
        continue;
      }
      result[decoded(header)] = decoded(rest.join("=").trim());
    }
  }
  return result;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function tls(reader: SettingReader): OtlpConfig["tls"] {
  const file = (name: string) =>
    reader.variable(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ??
    reader.variable(`OTEL_EXPORTER_OTLP_${name}`);
  const [ca, cert, key] = [file("CERTIFICATE"), file("CLIENT_CERTIFICATE"), file("CLIENT_KEY")];
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

/** A variable for traces over the one for all signals. */
function forTraces<T>(name: string, read: (variable: string, otherwise: T) => T, otherwise: T): T {
  return read(`OTEL_EXPORTER_OTLP_TRACES_${name}`, read(`OTEL_EXPORTER_OTLP_${name}`, otherwise));
}
