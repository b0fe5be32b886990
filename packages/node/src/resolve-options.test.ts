import { describe, expect, test } from "vitest";
import { resolveThoughtFlowOptions } from "./resolve-options.ts";

const defaults = {
  dir: "thoughtflow",
  disabled: false,
  captureContent: true,
  captureContentOnSpans: false,
  captureContentInLogs: false,
  captureRaw: false,
  redact: true,
  derivedRuns: true,
  legacyNames: false,
  logLevel: "none",
  maxDiskBytes: 10 * 2 ** 30,
  spanLimits: {
    attributeCountLimit: 256,
    attributeValueLengthLimit: Number.POSITIVE_INFINITY,
    linkCountLimit: 1024,
    eventCountLimit: 1024,
  },
  notices: [],
};

const otlpDefaults = {
  url: "http://localhost:4318/v1/traces",
  headers: {},
  protocol: "http/protobuf",
  exporter: "thoughtflow",
  compression: "none",
  timeoutMillis: 10_000,
  scheduleDelayMillis: 1_000,
  maxQueueSize: 10_240,
  maxExportBatchSize: 512,
  tls: {},
};

const otlp = (environment: Record<string, string>) =>
  resolveThoughtFlowOptions({}, environment).otlp;

describe("options", () => {
  test("without options and variables there are files, and nothing touches the network", () => {
    expect(resolveThoughtFlowOptions()).toEqual(defaults);
  });

  test("an option that does not exist is named, with those that do", () => {
    const options = { captureContnt: false, otlp: { url: "http://x.test" }, dir: undefined };
    expect(() => resolveThoughtFlowOptions(options as never)).toThrow(
      "captureContnt is false, expected no such option; there are dir, sessionId, disabled, maxDiskBytes, " +
        "captureContent, captureContentOnSpans, captureContentInLogs, captureRaw, redact, derivedRuns, legacyNames, prices, " +
        'storeUrl, logLevel, otlp, openai; otlp.url is "http://x.test", expected no such option; there are endpoint, headers, ' +
        "protocol, exporter",
    );
  });

  test("every variable has its effect", () => {
    const environment = {
      THOUGHTFLOW_DIR: "/flows",
      THOUGHTFLOW_SESSION_ID: "s1",
      THOUGHTFLOW_DISABLED: "no",
      THOUGHTFLOW_CAPTURE_CONTENT: "0",
      THOUGHTFLOW_CAPTURE_RAW: "true",
      THOUGHTFLOW_STORE_URL: "postgres://db/flows",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
      THOUGHTFLOW_REDACT: "false",
      THOUGHTFLOW_DERIVED_RUNS: "off",
      THOUGHTFLOW_LEGACY_NAMES: "yes",
      THOUGHTFLOW_MAX_DISK_BYTES: "1e9",
      THOUGHTFLOW_LOG_LEVEL: "DEBUG",
      OTEL_ATTRIBUTE_COUNT_LIMIT: "300",
      OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: "2048",
      OTEL_SPAN_LINK_COUNT_LIMIT: "7",
      OTEL_SPAN_EVENT_COUNT_LIMIT: "8",
    };
    expect(resolveThoughtFlowOptions({}, environment)).toEqual({
      dir: "/flows",
      sessionId: "s1",
      disabled: false,
      captureContent: false,
      captureContentOnSpans: true,
      captureContentInLogs: false,
      captureRaw: true,
      storeUrl: "postgres://db/flows",
      redact: false,
      derivedRuns: false,
      legacyNames: true,
      maxDiskBytes: 1e9,
      logLevel: "debug",
      spanLimits: {
        attributeCountLimit: 300,
        attributeValueLengthLimit: 2048,
        linkCountLimit: 7,
        eventCountLimit: 8,
      },
      notices: [],
    });
  });

  test("what is passed wins over the environment, and a variable that is blank is not set", () => {
    const environment = { THOUGHTFLOW_DIR: "/env", THOUGHTFLOW_SESSION_ID: " " };
    expect(resolveThoughtFlowOptions({ dir: "/passed" }, environment)).toEqual({
      ...defaults,
      dir: "/passed",
    });
  });

  test("one error names every setting that can't be used, and its value", () => {
    const options = { captureContent: "perhaps", otlp: { endpoint: "collector:4318" } } as object;
    const environment = { THOUGHTFLOW_REDACT: "some", THOUGHTFLOW_LOG_LEVEL: "loud" };
    expect(() => resolveThoughtFlowOptions(options, environment)).toThrow(
      'otlp.endpoint is "collector:4318", expected an http or https URL; ' +
        'captureContent is "perhaps", expected true, false, or a list of system, input, output, tools, arguments, results; ' +
        'THOUGHTFLOW_REDACT is "some", expected true or false; ' +
        'THOUGHTFLOW_LOG_LEVEL is "loud", expected one of none, error, warn, info, debug, verbose, all',
    );
  });

  test.each([
    [{ THOUGHTFLOW_DISABLED: "1" }, true],
    [{ OTEL_SDK_DISABLED: "TRUE" }, true],
    [{ OTEL_SDK_DISABLED: "1" }, false],
  ])("%o switches everything off: %s", (environment, disabled) => {
    expect(resolveThoughtFlowOptions({}, environment).disabled).toBe(disabled);
  });

  test.each([
    ["true", true, false],
    ["1", true, false],
    ["span", true, false],
    ["SPAN_ONLY", true, false],
    ["Span_And_Event", true, true],
    ["EVENT_ONLY", false, true],
    ["false", false, false],
    ["0", false, false],
    ["none", false, false],
    ["NO_CONTENT", false, false],
    ["", false, false],
  ])("message content %j on spans: %s, in logs: %s, without a word", (value, onSpans, inLogs) => {
    const name = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
    const { captureContentOnSpans, captureContentInLogs, notices } = resolveThoughtFlowOptions(
      {},
      { [name]: value },
    );
    expect([captureContentOnSpans, captureContentInLogs, notices]).toEqual([onSpans, inLogs, []]);
  });

  test("each switch of content may be a list of its kinds", () => {
    const { captureContent, captureContentOnSpans, captureContentInLogs } =
      resolveThoughtFlowOptions(
        { captureContentOnSpans: ["tools"], captureContentInLogs: [] },
        { THOUGHTFLOW_CAPTURE_CONTENT: "input, output" },
      );
    expect([captureContent, captureContentOnSpans, captureContentInLogs]).toEqual([
      ["input", "output"],
      ["tools"],
      [],
    ]);
  });

  test("an unknown word for message content keeps content off spans, with a notice", () => {
    const name = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
    const config = resolveThoughtFlowOptions({}, { [name]: "everything" });
    expect(config).toEqual({
      ...defaults,
      notices: [`${name} is "everything", which is unknown; content stays off spans and logs`],
    });
  });
});

describe("OTLP", () => {
  test("the general endpoint is a base, the one for traces a full URL that wins", () => {
    const general = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://base:4318/otel" };
    expect(otlp(general)?.url).toBe("http://base:4318/otel/v1/traces");
    const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces/in" };
    expect(otlp({ ...general, ...traces })?.url).toBe("https://traces/in");
  });

  test("an option sends without any variable, and keeps from sending despite one", () => {
    expect(resolveThoughtFlowOptions({ otlp: true }).otlp).toEqual(otlpDefaults);
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://base" };
    expect(resolveThoughtFlowOptions({ otlp: false }, environment).otlp).toBeUndefined();
  });

  test("every other variable has its effect; those for traces win, headers name by name", () => {
    expect(
      otlp({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://base",
        OTEL_EXPORTER_OTLP_HEADERS: "a=1, b=two%20words,c=x=y",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=2",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_TIMEOUT: "1000",
        OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "2000",
        OTEL_EXPORTER_OTLP_CERTIFICATE: "ca.pem",
        OTEL_EXPORTER_OTLP_COMPRESSION: "none",
        OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip",
        THOUGHTFLOW_OTLP_EXPORTER: "official",
        OTEL_BSP_SCHEDULE_DELAY: "10",
        OTEL_BSP_MAX_QUEUE_SIZE: "20",
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "30",
      }),
    ).toEqual({
      url: "http://base/v1/traces",
      headers: { a: "2", b: "two words", c: "x=y" },
      protocol: "http/json",
      exporter: "official",
      compression: "gzip",
      timeoutMillis: 2_000,
      scheduleDelayMillis: 10,
      maxQueueSize: 20,
      maxExportBatchSize: 20,
      tls: { ca: "ca.pem" },
    });
  });

  test("gRPC is told about and replaced, a number that is none too", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_EXPORTER_OTLP_COMPRESSION: "zstd",
      OTEL_BSP_SCHEDULE_DELAY: "soon",
    };
    expect(resolveThoughtFlowOptions({}, environment)).toEqual({
      ...defaults,
      otlp: otlpDefaults,
      notices: [
        'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", which is not supported; http/protobuf is used',
        'OTLP compression "zstd" is not supported; none is used',
        'OTEL_BSP_SCHEDULE_DELAY is "soon", expected a whole number; 1000 is used',
      ],
    });
  });

  test("OTEL_TRACES_EXPORTER decides whether spans are sent, and other exporters are told about", () => {
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" };
    expect(otlp({ ...base, OTEL_TRACES_EXPORTER: "none" })).toBeUndefined();
    const { otlp: config, notices } = resolveThoughtFlowOptions(
      {},
      { ...base, OTEL_TRACES_EXPORTER: "otlp, zipkin" },
    );
    expect({ config, notices }).toEqual({
      config: otlpDefaults,
      notices: ['OTEL_TRACES_EXPORTER names "zipkin"; only otlp and none are supported'],
    });
  });
});
