import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type Span } from "@opentelemetry/sdk-trace-node";
import type { Session } from "@thoughtflow/schema";
import { createFlowWriter, type FlowWriter, type FlowWriterOptions } from "../src/flow-writer.ts";

/** A flow directory of the session "s", and what ends its steps. */
export interface Flow {
  readonly place: string;
  readonly writer: FlowWriter;
  /** A step that has ended. */
  step(id: string, parent?: Span): void;
  start(id: string, parent?: Span): Span;
  session(): Session;
}

/** A writer of its own below a provider of its own. */
export function flowOn(
  place: string,
  options: Pick<FlowWriterOptions, "fs" | "now" | "lookEveryMs"> = {},
): Flow {
  const writer = createFlowWriter({
    dir: place,
    captureContent: true,
    sessionId: undefined,
    ...options,
  });
  const provider = new NodeTracerProvider({
    spanProcessors: [
      {
        onStart: (span, context) => writer.started(span, context),
        onEnd: (span) => writer.ended(span),
        forceFlush: () => writer.flush(),
        shutdown: async () => {},
      },
    ],
  });
  const start = (id: string, parent?: Span) =>
    provider.getTracer("test").startSpan(
      "execute_tool look",
      {
        attributes: {
          "session.id": "s",
          "thoughtflow.step.id": id,
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.call.result": `"${id}"`,
        },
      },
      parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
    ) as Span;
  return {
    place,
    writer,
    start,
    step: (id, parent) => start(id, parent).end(),
    session: () => JSON.parse(readFileSync(join(place, "s.json"), "utf8")),
  };
}

/** The ids of all steps, in order. */
export function idsIn(session: Session): readonly string[] {
  return session.conversations.flatMap(({ steps }) => steps.map(({ step_id }) => step_id)).sort();
}

/** Of spans, as the state beside the journal tells them. */
export function countsIn(place: string): unknown {
  const folder = join(place, ".journal");
  const name = readdirSync(folder).find((file) => file.endsWith("state.json")) ?? "";
  return JSON.parse(readFileSync(join(folder, name), "utf8")).spans;
}
