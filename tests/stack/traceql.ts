import type { Session } from "@thoughtflow/schema";
import { expect } from "vitest";
import { madeSpan, sendSpans } from "./made-spans.ts";
import { getJson } from "./polling.ts";
import { runApp } from "./run-app.ts";
import type { Tempo } from "./tempo.ts";

interface FoundTrace {
  readonly traceID: string;
  readonly spanSet: { readonly spans: readonly { readonly spanID: string }[] };
}

/** Where a Tempo takes spans and answers. */
type AskedTempo = Pick<Tempo, "otlpEndpoint" | "queryEndpoint">;

type SpansByTrace = Readonly<Record<string, readonly string[]>>;

/** The spans that a query finds, by trace; Tempo leaves out the zeros that an id begins with. */
async function search({ queryEndpoint }: AskedTempo, query: string): Promise<SpansByTrace> {
  const url = `${queryEndpoint}/api/search?q=${encodeURIComponent(query)}&spss=20`;
  const { traces = [] } = ((await getJson(url)) ?? {}) as { traces?: readonly FoundTrace[] };
  return Object.fromEntries(
    traces.map(({ traceID, spanSet }) => [
      traceID.padStart(32, "0"),
      spanSet.spans.map(({ spanID }) => spanID.padStart(16, "0")).sort(),
    ]),
  );
}

/** Once all of it is found: spans of one request do not appear at once. */
async function expectToFind(
  tempo: AskedTempo,
  query: string,
  expected: SpansByTrace,
): Promise<void> {
  await expect.poll(() => search(tempo, query), { timeout: 60_000 }).toEqual(expected);
}

function stepsOf(session: Session | undefined) {
  const runs = session?.conversations ?? [];
  return new Map(
    runs.flatMap((run) =>
      run.steps.map(({ step_id, span_id = "" }) => [
        step_id,
        { trace: run.trace_id ?? "", span_id },
      ]),
    ),
  );
}

/** Sends what two apps do, and expects TraceQL to find steps of it by session, by operation, by link and by its kind. */
export async function expectTraceqlToFindSteps(tempo: AskedTempo): Promise<void> {
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: tempo.otlpEndpoint };
  const app = await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
    ...to,
    THOUGHTFLOW_SESSION_ID: "asked-for",
  });
  const declared = await declaredSteps(to);
  const forecast = declared.steps.get("forecast");
  const umbrella = declared.steps.get("umbrella");
  if (!forecast || !umbrella) throw new Error("the app declared other steps");

  const run = app.sessions[0]?.conversations[0];
  const calls = (run?.steps ?? [])
    .filter(({ label }) => label === "assistant_call")
    .map(({ span_id = "" }) => span_id);
  const trace = run?.trace_id ?? "";
  await expectToFind(tempo, '{ span.session.id = "asked-for" }', {
    [trace]: [...calls, run?.span_id ?? ""].sort(),
  });
  await expectToFind(tempo, '{ span.gen_ai.operation.name = "chat" }', {
    [trace]: calls.sort(),
  });
  await expectToFind(tempo, linkTo(forecast.trace), {
    [forecast.trace]: [forecast.span_id],
    [umbrella.trace]: [umbrella.span_id],
  });
  await expectToFind(tempo, linkOfType("reads", declared.service), {
    [umbrella.trace]: [umbrella.span_id],
  });
  await expectToFind(tempo, linkOfType("depends_on", declared.service), {
    [forecast.trace]: [forecast.span_id],
  });

  const [traceId, spanId] = ["0b6d6a6f9da6ece1bdc4b85659bfdef3", "1".repeat(16)];
  const links = [{ traceId, spanId, attributes: {} }];
  const linked = madeSpan({ trace: 8, span: 81, session: "made", operation: "chat", links });
  await sendSpans(tempo.otlpEndpoint, [linked]);
  await expectToFind(tempo, linkTo(traceId), { [linked.traceId]: [linked.spanId] });
}

/** Tempo compares ids without the zeros that they begin with. */
function linkTo(traceId: string): string {
  return `{ link:traceID = "${traceId.replace(/^0+/, "")}" }`;
}

function linkOfType(type: string, service: string): string {
  return `{ link.thoughtflow.link.type = "${type}" && resource.service.name = "${service}" }`;
}

/**
 * One id in 256 begins with two zeros: Tempo finds no link to it, however it is written. The app is run again then, as another
 * service, since Tempo has what it sent before.
 */
async function declaredSteps(variables: Readonly<Record<string, string>>) {
  for (let attempt = 1; ; attempt += 1) {
    const service = `declared-${attempt}`;
    const { sessions } = await runApp("declared.mjs", undefined, {
      ...variables,
      OTEL_SERVICE_NAME: service,
    });
    const steps = stepsOf(sessions[0]);
    if (!steps.get("forecast")?.trace.startsWith("00")) return { steps, service };
  }
}
