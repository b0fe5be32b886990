import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Session } from "@thoughtflow/schema";
import { afterEach, beforeEach } from "vitest";

/** The flow directory of a test, another for each test of a file that says `eachInItsDirectory()`. */
export let dir: string;

export function eachInItsDirectory(): void {
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "thoughtflow-processor-"));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
}

/** The attributes of a model call. */
export const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5-mini" };

/** A tracer whose spans these processors are told of. */
export function tracerWith(...spanProcessors: SpanProcessor[]) {
  return new NodeTracerProvider({ spanProcessors }).getTracer("test");
}

/** The documents in a flow directory. */
export function sessionsIn(folder: string): Session[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
}

/** A context below a span. */
export function under(parent: Span) {
  return trace.setSpan(ROOT_CONTEXT, parent);
}
