import type { FlowIntake } from "@thoughtflow/processor/intake";

/** What a server has answered. */
export interface ServerMetrics {
  /** Counts an answer to a request that brought spans. */
  answered(status: number): void;
  /** Counts spans that a request held and that could not be taken, by what is wrong with them. */
  rejected(code: string, spans: number): void;
  readonly counts: {
    readonly requests: Readonly<Record<string, number>>;
    readonly rejected: Readonly<Record<string, number>>;
  };
}

export function createServerMetrics(): ServerMetrics {
  const requests: Record<string, number> = {};
  const rejected: Record<string, number> = {};
  return {
    answered(status) {
      requests[status] = (requests[status] ?? 0) + 1;
    },
    rejected(code, spans) {
      rejected[code] = (rejected[code] ?? 0) + spans;
    },
    counts: { requests, rejected },
  };
}

/** In the text format of Prometheus, 0.0.4. */
export function prometheusText(
  { counts }: ServerMetrics,
  { counters }: FlowIntake,
  inFlight: { readonly requests: number; readonly bytes: number },
): string {
  const { journal, sessions } = counters;
  return [
    ...family(
      "requests_total",
      "counter",
      "Requests with spans, by answer.",
      "status",
      counts.requests,
    ),
    ...family(
      "spans_total",
      "counter",
      "Spans acknowledged: they are in the journal.",
      counters.spans,
    ),
    ...family(
      "spans_of_no_flow_total",
      "counter",
      "Of these, spans of traces that said nothing of an agent when they came.",
      counters.spansOfNoFlow,
    ),
    ...family("rejected_spans_total", "counter", "Spans refused, by why.", "code", counts.rejected),
    ...family("journal_bytes_total", "counter", "Bytes appended to the journal.", journal.bytes),
    ...family(
      "journal_failures_total",
      "counter",
      "Failed calls to the file system, by code.",
      "code",
      journal.failures,
    ),
    ...family("documents_written_total", "counter", "Sessions written.", sessions.documentsWritten),
    ...family(
      "documents_failed_total",
      "counter",
      "Sessions that could not be written; they are tried again.",
      sessions.documentsFailed,
    ),
    ...family("sessions_remembered", "gauge", "Sessions in memory.", sessions.sessionsRemembered),
    ...family("requests_in_flight", "gauge", "Requests being taken.", inFlight.requests),
    ...family("bytes_in_flight", "gauge", "Bytes of requests being taken.", inFlight.bytes),
    "",
  ].join("\n");
}

function family(name: string, type: string, help: string, value: number): readonly string[];
function family(
  name: string,
  type: string,
  help: string,
  label: string,
  values: Readonly<Record<string, number>>,
): readonly string[];
function family(
  name: string,
  type: string,
  help: string,
  valueOrLabel: number | string,
  values: Readonly<Record<string, number>> = {},
): readonly string[] {
  const full = `thoughtflow_receiver_${name}`;
  const samples =
    typeof valueOrLabel === "number"
      ? [`${full} ${valueOrLabel}`]
      : Object.entries(values).map(([key, one]) => `${full}{${valueOrLabel}="${key}"} ${one}`);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...samples];
}
