import type { SpanIntake } from "@thoughtflow/processor/intake";
import { Counter, Gauge, Registry } from "prom-client";

/** What a server has answered, and what became of it. */
export interface ServerMetrics {
  /** Counts an answer to a request that brought spans. */
  answered(status: number): void;
  /** Counts spans that a request held and that could not be taken, by what is wrong with them. */
  rejected(code: string, spans: number): void;
  /** What `/metrics` shows; others register with it. */
  readonly registry: Registry;
}

/** Counts of a moment: a number, or numbers by the value of the label. */
type Read = () => number | Readonly<Record<string, number>>;

export function createServerMetrics(
  { counters }: SpanIntake,
  inFlight: () => { readonly requests: number; readonly bytes: number },
): ServerMetrics {
  const registry = new Registry();
  const { spansOfNoFlow, journal, sessions } = counters;
  const options = (name: string, help: string, label?: string) => ({
    name: `thoughtflow_receiver_${name}`,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
  });
  /** Of something that is counted elsewhere. */
  const counted = (name: string, help: string, read: Read, label = ""): void => {
    new Counter({
      ...options(name, help, label || undefined),
      collect() {
        this.reset();
        const now = read();
        if (typeof now === "number") this.inc(now);
        else for (const [key, count] of Object.entries(now)) this.inc({ [label]: key }, count);
      },
    });
  };
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      ...options(name, help),
      collect() {
        this.set(read());
      },
    });
  };

  const requests = new Counter(
    options("requests_total", "Requests with spans, by answer.", "status"),
  );
  const rejected = new Counter(options("rejected_spans_total", "Spans refused, by why.", "code"));
  const kept = journal === undefined ? "committed in the store" : "in the journal";
  counted("spans_total", `Spans acknowledged: they are ${kept}.`, () => counters.spans);
  if (spansOfNoFlow !== undefined)
    counted(
      "spans_of_no_flow_total",
      "Of these, spans of traces that said nothing of an agent when they came.",
      () => counters.spansOfNoFlow ?? 0,
    );
  if (journal !== undefined) {
    counted("journal_bytes_total", "Bytes appended to the journal.", () => journal.bytes);
    counted(
      "journal_failures_total",
      "Failed calls to the file system, by code.",
      () => journal.failures,
      "code",
    );
  }
  if (sessions !== undefined) {
    counted("documents_written_total", "Sessions written.", () => sessions.documentsWritten);
    counted(
      "documents_failed_total",
      "Sessions that could not be written; they are tried again.",
      () => sessions.documentsFailed,
    );
    gauge("sessions_remembered", "Sessions in memory.", () => sessions.sessionsRemembered);
  }
  gauge("requests_in_flight", "Requests being taken.", () => inFlight().requests);
  gauge("bytes_in_flight", "Bytes of requests being taken.", () => inFlight().bytes);

  return {
    answered: (status) => requests.inc({ status: String(status) }),
    rejected: (code, spans) => rejected.inc({ code }, spans),
    registry,
  };
}
