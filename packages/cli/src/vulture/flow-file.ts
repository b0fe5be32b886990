import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { fileNameOf, makeDirectory, realFileSystem } from "@thoughtflow/journal";
import type { OtlpSpan } from "@thoughtflow/otlp";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { readSession, type Step } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
} from "@thoughtflow/semconv";
import { incorrect, type Trouble } from "./trouble.ts";
import type { WrittenTrace } from "./written-trace.ts";

/** Writes a trace to a flow directory of its own beside the sessions of `dir`, reads the file back, and removes both. */
export async function writeAndReadFile(
  trace: WrittenTrace,
  dir: string,
): Promise<readonly Trouble[]> {
  makeDirectory(dir, realFileSystem);
  const own = await mkdtemp(join(dir, ".vulture-"));
  try {
    const processor = new ThoughtFlowSpanProcessor({ dir: own });
    for (const span of trace.spans) processor.onEnd(span as Parameters<typeof processor.onEnd>[0]);
    await processor.forceFlush();
    return await troublesOf(trace, own);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function troublesOf(trace: WrittenTrace, dir: string): Promise<readonly Trouble[]> {
  let text: string;
  try {
    text = await readFile(join(dir, `${fileNameOf(trace.sessionId)}.json`), "utf8");
  } catch (error) {
    return [{ kind: "notfound_byid", message: (error as Error).message }];
  }
  const result = readSession(text);
  if (!result.ok) {
    return result.problems.map(({ message }) => ({ kind: "incorrectresult", message }));
  }
  const steps = result.session.conversations.flatMap((run) => run.steps);
  // The run is no step.
  return trace.spans.slice(1).flatMap((span) => {
    const { spanId } = span.spanContext();
    const own = steps.filter(({ span_id }) => span_id === spanId);
    const step = own.find(({ origin }) => origin === "recorded");
    if (step === undefined) {
      return [{ kind: "missingspans", message: `span ${spanId}, ${span.name}` }];
    }
    const answer = own.find(({ label }) => label === "assistant_message");
    return wrongFields(span, step, answer?.payload_completed?.["text"]);
  });
}

function wrongFields(span: OtlpSpan, step: Step, answer: unknown): readonly Trouble[] {
  const { attributes } = span;
  const dependsOn = attributes[ATTR_THOUGHTFLOW_DEPENDS_ON] ?? [];
  const fields: readonly (readonly [field: string, written: unknown, found: unknown])[] = [
    ["started_at", isoTime(span.startTime), step.started_at],
    ["ended_at", isoTime(span.endTime), step.ended_at],
    ["status", span.status.code === 2 ? "error" : "ok", step.status],
    ["answer", answerIn(attributes[ATTR_GEN_AI_OUTPUT_MESSAGES]), answer],
    ["args", parsed(attributes[ATTR_GEN_AI_TOOL_CALL_ARGUMENTS]), step.payload_started?.["args"]],
    ["depends_on", [dependsOn].flat(), [step.depends_on ?? []].flat()],
  ];
  return fields
    .filter(([, written, found]) => !isDeepStrictEqual(written, found))
    .map(([field, written, found]) => incorrect(`${field} of ${span.name}`, written, found));
}

function isoTime([seconds, nanoseconds]: OtlpSpan["startTime"]): string {
  return new Date(seconds * 1_000 + nanoseconds / 1e6).toISOString();
}

function parsed(text: unknown): unknown {
  return typeof text === "string" ? JSON.parse(text) : undefined;
}

function answerIn(messages: unknown): unknown {
  return (parsed(messages) as { parts: { content: string }[] }[] | undefined)?.[0]?.parts[0]
    ?.content;
}
