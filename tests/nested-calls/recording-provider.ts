import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import type { Session } from "@thoughtflow/schema";

/** An app's own OpenTelemetry with our processor in it. */
export interface RecordingProvider {
  readonly provider: NodeTracerProvider;
  /** What a backend got, and the files, since the last time. */
  take(): Promise<{
    readonly spans: readonly ReadableSpan[];
    readonly sessions: readonly Session[];
  }>;
  shutdown(): Promise<void>;
}

export function createRecordingProvider(): RecordingProvider {
  const dir = mkdtempSync(join(tmpdir(), "nested-calls-"));
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter), new ThoughtFlowSpanProcessor({ dir })],
  });
  provider.register();
  const seen = new Set<string>();
  return {
    provider,
    async take() {
      await provider.forceFlush();
      const spans = exporter.getFinishedSpans().slice();
      exporter.reset();
      const fresh = readdirSync(dir).filter((name) => name.endsWith(".json") && !seen.has(name));
      for (const name of fresh) seen.add(name);
      const sessions: Session[] = fresh.map((name) =>
        JSON.parse(readFileSync(join(dir, name), "utf8")),
      );
      return { spans, sessions };
    },
    async shutdown() {
      await provider.shutdown();
      rmSync(dir, { recursive: true });
    },
  };
}
