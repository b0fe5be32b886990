import type { TracerProvider } from "@opentelemetry/api";

/** Instrumentation of openai that may be in place before there is a provider. */
export interface OpenAISupport {
  /** Observes the calls of an openai module, class or client; twice is once. */
  observe(openai: unknown): void;
  /** Where its spans come from; undefined: from whatever OpenTelemetry has globally. */
  connect(provider: TracerProvider | undefined): void;
}
