import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { NodeTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { createRedactor } from "@thoughtflow/redaction";
import { setRedactor } from "@thoughtflow/tracing/internal";
import { afterEach, expect, test } from "vitest";
import { createOfficialOtlpSpanProcessor } from "./official-otlp-span-processor.ts";
import { resolveThoughtFlowOptions } from "./resolve-options.ts";

const key = "sk-proj-0123456789abcdefghijklmnop";

afterEach(() => setRedactor(createRedactor()));

async function sentTexts(atExit: boolean): Promise<string> {
  const otlp = { endpoint: "http://127.0.0.1:1", protocol: "http/json" } as const;
  const config = resolveThoughtFlowOptions({ otlp }, {}).otlp;
  if (config === undefined) throw new Error("OTLP is not configured");
  const bodies: (Uint8Array | undefined)[] = [];
  const processor = createOfficialOtlpSpanProcessor(config, {
    createExporter: async () => ({
      export(spans, done) {
        bodies.push(JsonTraceSerializer.serializeRequest(spans));
        done({ code: 0 });
      },
      shutdown: async () => {},
    }),
    sendAtExit(_config, sent) {
      bodies.push(...sent);
      return sent.map(() => true);
    },
  });
  const tracer = new NodeTracerProvider({ spanProcessors: [processor] }).getTracer("test");
  const span = tracer.startSpan(`call with ${key}`, {
    attributes: {
      text: `text ${key}`,
      list: [`item ${key}`, "plain"],
      count: 3,
      [`limits ${key}`]: 3,
    },
    links: [
      {
        context: { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 },
        attributes: { link: `link ${key}` },
      },
    ],
  });
  span.recordException(new Error(`exception ${key}`));
  span.setStatus({ code: 2, message: `status ${key}` });
  let made = 0;
  Object.defineProperty((span as unknown as ReadableSpan).attributes, "lazy", {
    enumerable: true,
    get: () => `content, made ${++made} time`,
  });
  span.end();
  if (atExit) processor.drainSync();
  else await processor.forceFlush();
  return bodies.map((body) => Buffer.from(body ?? []).toString()).join();
}

test.each([false, true])(
  "no text of a span leaves the process as it was, at exit: %s",
  async (atExit) => {
    const sent = await sentTexts(atExit);
    expect(sent).not.toContain(key);
    for (const what of ["call with", "text", "item", "limits", "link", "exception", "status"]) {
      expect(sent).toContain(`${what} [redacted: api_key]`);
    }
    expect(sent).toContain("content, made 1 time");
  },
);

test("the application's own hook sees them too", async () => {
  setRedactor(createRedactor({ redact: (text, name) => (name === "text" ? "hidden" : text) }));
  expect(await sentTexts(false)).toContain('"hidden"');
});
