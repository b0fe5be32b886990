import type { Attributes, Context } from "@opentelemetry/api";
import { EVENT_GEN_AI_OPERATION_DETAILS, GEN_AI_SCHEMA_URL } from "@thoughtflow/semconv";
import type { ContentCapture, ModelCallContent } from "@thoughtflow/tracing/internal";
import {
  capturedContent,
  contentAttributesOf,
  currentRedactor,
} from "@thoughtflow/tracing/internal";
import type { CallLoggerProvider } from "./call-logger-provider.ts";
import { soon } from "./soon.ts";
import { INSTRUMENTATION_NAME, INSTRUMENTATION_VERSION } from "./version.ts";

/** What is told of a call. */
export interface LoggedCall {
  readonly startAttributes: Attributes;
  readonly content: ModelCallContent;
  /** What the SDK's own work ran in. */
  readonly context: Context;
}

/** Tells of ended calls in log records with their content, where that is asked for and somebody takes logs. */
export interface CallLog {
  /** Off the caller's path: the next macrotask writes the record. */
  tell(call: LoggedCall, attributes: Attributes): void;
}

/** Where every copy of `@opentelemetry/api-logs` keeps the provider that was registered, by its version. */
const registry: unique symbol = Symbol.for("io.opentelemetry.js.api.logs");
const REGISTRY_VERSION = 1;

/** `DEBUG`, as the conventions say. */
const SEVERITY = { severityNumber: 5, severityText: "DEBUG" };

/** @param provider Default: the global one, also one that is registered later. */
export function createCallLog(
  provider: CallLoggerProvider | undefined,
  capture: ContentCapture,
): CallLog {
  return {
    tell(call, attributes) {
      if (capture === false) return;
      const logs = provider ?? globalProvider();
      if (logs === undefined) return;
      const { startAttributes, content, context } = call;
      soon(() => {
        const told: Record<string, unknown> = { ...startAttributes, ...attributes };
        const shown = capturedContent(contentAttributesOf(content), capture);
        const redacted = currentRedactor().value(told, EVENT_GEN_AI_OPERATION_DETAILS) as object;
        logs
          .getLogger(INSTRUMENTATION_NAME, INSTRUMENTATION_VERSION, {
            schemaUrl: GEN_AI_SCHEMA_URL,
          })
          .emit({
            eventName: EVENT_GEN_AI_OPERATION_DETAILS,
            ...SEVERITY,
            context,
            attributes: { ...redacted, ...structured(shown) },
          });
      });
    },
  };
}

/** Log records hold values where spans hold their JSON. */
function structured(content: Readonly<Record<string, string | readonly string[]>>): object {
  return Object.fromEntries(
    Object.entries(content).map(([name, text]) => [
      name,
      typeof text === "string" ? JSON.parse(text) : text.map((piece) => JSON.parse(piece)),
    ]),
  );
}

function globalProvider(): CallLoggerProvider | undefined {
  const holder = globalThis as {
    readonly [registry]?: (version: number) => CallLoggerProvider | undefined;
  };
  return holder[registry]?.(REGISTRY_VERSION);
}
