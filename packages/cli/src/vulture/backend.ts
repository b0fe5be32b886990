import { setTimeout as sleep } from "node:timers/promises";
import type { OtlpConfig } from "@thoughtflow/node";
import { sendSpans } from "../send-spans.ts";
import { comparableSpans, spansInAnswer } from "./comparable-span.ts";
import { differences, type Trouble } from "./trouble.ts";
import type { WrittenTrace } from "./written-trace.ts";

/** A backend that gives traces back by their id. */
export interface QueryApi {
  /** Of the query API. */
  readonly defaultUrl: string;
  readonly path: (traceId: string) => string;
  /** The part of an answer that is a trace in OTLP JSON. */
  readonly traceIn: (answer: unknown) => unknown;
}

export const QUERY_APIS: Readonly<Record<"jaeger" | "tempo", QueryApi>> = {
  jaeger: {
    defaultUrl: "http://localhost:16686",
    path: (traceId) => `/api/v3/traces/${traceId}`,
    traceIn: (answer) => (answer as { result?: unknown }).result,
  },
  tempo: {
    defaultUrl: "http://localhost:3200",
    path: (traceId) => `/api/v2/traces/${traceId}`,
    traceIn: (answer) => (answer as { trace?: unknown }).trace,
  },
};

/** Sends a trace and waits until the receiver has confirmed all of it. */
export async function sendTrace(
  { spans }: WrittenTrace,
  destination: OtlpConfig,
): Promise<readonly Trouble[]> {
  const { problems } = await sendSpans(spans, destination);
  return problems.map((message) => ({ kind: "requestfailed", message }));
}

/** Asks for a trace until it is as it was written, or the time is over: backends take a while to show what they have. */
export async function readBack(
  trace: WrittenTrace,
  api: QueryApi,
  queryUrl: string,
  waitMillis: number,
): Promise<readonly Trouble[]> {
  const written = comparableSpans(trace.spans);
  const url = queryUrl.replace(/\/$/, "") + api.path(trace.traceId);
  for (const deadline = performance.now() + waitMillis; ; await sleep(250)) {
    const troubles = await lookOnce(url, api, written);
    if (troubles.length === 0 || performance.now() >= deadline) return troubles;
  }
}

async function lookOnce(
  url: string,
  api: QueryApi,
  written: ReturnType<typeof comparableSpans>,
): Promise<readonly Trouble[]> {
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(10_000),
    });
    if (response.status === 404) return [{ kind: "notfound_byid", message: `${url}: status 404` }];
    if (!response.ok) {
      return [{ kind: "requestfailed", message: `${url}: status ${response.status}` }];
    }
    const found = spansInAnswer(api.traceIn(await response.json()));
    return found.length === 0
      ? [{ kind: "notfound_byid", message: `${url}: no spans` }]
      : differences(written, found);
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return [{ kind: "requestfailed", message: `${url}: ${reason}` }];
  }
}
