import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { freeAddresses, startCollector } from "./collector.ts";
import { startJaeger } from "./jaeger.ts";
import { runApp } from "./run-app.ts";

test("collector-config/to-jaeger.yaml passes an app's trace on whole", async () => {
  await using jaeger = await startJaeger();
  const [otlp = "", health = ""] = await freeAddresses(2);
  await using _collector = await startCollector(
    join(ROOT, "collector-config", "to-jaeger.yaml"),
    {
      COLLECTOR_OTLP_ADDRESS: otlp,
      COLLECTOR_HEALTH_ADDRESS: health,
      JAEGER_OTLP_ENDPOINT: jaeger.otlpEndpoint,
    },
    health,
  );
  const { sessions } = await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${otlp}`,
  });
  const run = sessions[0]?.conversations[0];
  const trace = await jaeger.trace(run?.trace_id ?? "", 4);
  expect(trace[0]?.spanId).toBe(run?.span_id);
  expect(trace.map(({ name }) => name)).toEqual([
    "invoke_agent",
    ...Array.from({ length: 3 }, () => "chat gpt-4o-mini"),
  ]);
});
