import { setTimeout as sleep } from "node:timers/promises";
import type { OtlpConfig } from "@thoughtflow/node";
import { httpAnswer } from "../http-answer.ts";
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
    traceIn: (answer) => (answer as { result?: unknown } | null)?.result,
  },
  tempo: {
    defaultUrl: "http://localhost:3200",
    path: (traceId) => `/api/v2/traces/${traceId}`,
    traceIn: (answer) => (answer as { trace?: unknown } | null)?.trace,
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

/** Where a backend is asked for what it was given, and how. */
export interface QueryPlace {
  readonly backend: keyof typeof QUERY_APIS;
  readonly api: QueryApi;
  /** Of its query API; a user and a password in it become basic authentication. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks for a trace until it is as it was written, or the time is over: backends take a while to show what they have. */
export async function readBack(
  trace: WrittenTrace,
  place: QueryPlace,
  waitMillis: number,
): Promise<readonly Trouble[]> {
  const written = comparableSpans(trace.spans);
  for (const deadline = performance.now() + waitMillis; ; await sleep(250)) {
    const left = deadline - performance.now();
    const timeoutMillis = Math.min(LONGEST_LOOK_MS, Math.max(SHORTEST_LOOK_MS, left));
    const troubles = await lookOnce(trace.traceId, place, written, Math.round(timeoutMillis));
    if (troubles.length === 0 || performance.now() >= deadline) return troubles;
  }
}

const LONGEST_LOOK_MS = 10_000;
/** A backend that is there answers in that time, however little patience there is. */
const SHORTEST_LOOK_MS = 1_000;
/** Of an answer: the trace has some kilobytes, and its text is as long as somebody wants. */
const MOST_ANSWER_BYTES = 256 * 1024 * 1024;

async function lookOnce(
  traceId: string,
  { api, url, headers }: QueryPlace,
  written: ReturnType<typeof comparableSpans>,
  timeoutMillis: number,
): Promise<readonly Trouble[]> {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, "") + api.path(traceId);
  const shown = origin + path;
  try {
    const { status, text } = await httpAnswer(new URL(path, url), {
      headers: { accept: "application/json", ...headers },
      timeoutMillis,
      mostBytes: MOST_ANSWER_BYTES,
    });
    if (status === 404) return [{ kind: "notfound_byid", message: `${shown}: status 404` }];
    if (status < 200 || status > 299) {
      return [{ kind: "requestfailed", message: `${shown}: status ${status}` }];
    }
    const found = spansInAnswer(api.traceIn(JSON.parse(text)));
    return found.length === 0
      ? [{ kind: "notfound_byid", message: `${shown}: no spans` }]
      : differences(written, found);
  } catch (error) {
    return [{ kind: "requestfailed", message: `${shown}: ${(error as Error).message}` }];
  }
}
