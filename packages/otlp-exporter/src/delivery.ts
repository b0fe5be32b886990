// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";
import { diag } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { REQUEST_FORMATS } from "@thoughtflow/otlp";
import { type Answer, createHttpClient } from "./http-post.ts";
import { type OtlpExporterConfig, placeOf } from "./options.ts";
import { createOutbox, type OutgoingRequest } from "./outbox.ts";
import { halvesOf, requestBatches } from "./request-batches.ts";
import { sendAtExit } from "./send-at-exit.ts";
import { verdictOn } from "./verdict.ts";
import { waiting } from "./waiting.ts";
import { warn as emitWarning } from "./warn.ts";

/** What a flush has come to. */
export interface FlushReport {
  /** Spans that no receiver has confirmed. They wait, in memory or in the spool, and are tried again. */
  readonly unsentSpans: number;
  /** Why; absent when all are confirmed. */
  readonly reason?: string;
}

/** How the delivery ended with the process. */
export interface DrainReport extends FlushReport {
  /** Of the unsent spans, those that are sent at the next start. */
  readonly spooledSpans: number;
}

/** Since the start. */
export interface DeliveryCounts {
  /** Spans that the receiver has confirmed. */
  readonly sent: number;
  /** Spans that will never arrive, by the reason. */
  readonly lost: Readonly<Record<string, number>>;
}

/** Everything behind the queue of ended spans: bytes, memory, disk and network. */
export interface Delivery {
  /** Puts spans into requests and begins to send. */
  add(spans: readonly ReadableSpan[]): void;
  /** Sends what an earlier process left in the spool. */
  resume(): void;
  /** Resolves when everything is confirmed, or says what is not: at the latest after `budgetMillis`. Never rejects. */
  flush(budgetMillis: number): Promise<FlushReport>;
  /** Whether a flush would have anything to do that the spool doesn't keep. */
  hasWork(): boolean;
  /**
   * The last thing in a process, synchronously: these spans and all that waits go into the spool, then out of it within
   * `patienceMillis`.
   */
  drainSync(spans: readonly ReadableSpan[], patienceMillis: number): DrainReport;
  counts(): DeliveryCounts;
  /** Ends the connection. */
  close(): void;
}

/** Parts that others may stand in for. */
export interface DeliveryParts {
  /** Says aloud that spans can't be sent, or are lost; a program that tells it in its own words passes one that is silent. */
  readonly warn?: typeof emitWarning;
  readonly random?: () => number;
  readonly sendAtExit?: typeof sendAtExit;
}

/** One request at a time to one destination. */
export function createDelivery(config: OtlpExporterConfig, parts: DeliveryParts = {}): Delivery {
  const { random = Math.random, warn = emitWarning } = parts;
  const format = REQUEST_FORMATS[config.protocol];
  const place = placeOf(config.url);
  const client = createHttpClient(config);
  const outbox = createOutbox(config, lose);
  const lost = new Map<string, number>();
  let sent = 0;
  let current: OutgoingRequest | undefined;
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** In a row; 0 while the receiver takes what it gets. */
  let failures = 0;
  let reason = "";
  let isPauseAsked = false;
  /** By `performance.now()`, which no one sets back. */
  let pausedUntil = 0;
  let isDrained = false;

  function lose(spans: number, why: string): void {
    if (spans === 0) return;
    const before = lost.get(why);
    lost.set(why, (before ?? 0) + spans);
    if (before === undefined) {
      warn("THOUGHTFLOW_OTLP_SPANS_DROPPED", `Spans for ${place} are lost: ${why}.`);
    }
  }

  function send(): Promise<void> {
    clearTimeout(timer);
    sending ??= sendAll()
      .catch((error: unknown) => diag.error("ThoughtFlow: sending spans failed", error))
      .finally(() => {
        sending = undefined;
      });
    return sending;
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      current = outbox.take();
      if (current === undefined) return;
      const answer = await client.post(current.body, format.contentType, config.timeoutMillis);
      // The end of the process has taken care of it.
      if (isDrained) return;
      const request = current;
      current = undefined;
      if (!settle(request, answer)) return;
    }
  }

  /** Whether to go on at once. */
  function settle(request: OutgoingRequest, answer: Answer): boolean {
    const verdict = verdictOn(answer, failures, Date.now(), random());
    switch (verdict.kind) {
      case "accepted":
        accept(request, answer);
        return true;
      case "smaller":
        request.remove();
        halve(request);
        return true;
      case "refused":
        request.remove();
        lose(request.spans, `the receiver refuses them: ${verdict.reason}`);
        return true;
      case "later":
        diag.warn(`ThoughtFlow: OTLP export failed: ${verdict.reason}`);
        if (failures === 0) {
          const message = `Spans can't be sent to ${place}: ${verdict.reason}`;
          warn("THOUGHTFLOW_OTLP_EXPORT_FAILED", message);
        }
        failures += 1;
        ({ reason, isAsked: isPauseAsked } = verdict);
        pausedUntil = performance.now() + verdict.pauseMillis;
        request.release();
        outbox.spill();
        timer = setTimeout(() => void send(), verdict.pauseMillis);
        timer.unref();
        return false;
    }
  }

  function accept(request: OutgoingRequest, answer: Answer): void {
    request.remove();
    failures = 0;
    const { rejectedSpans, message } = format.partialSuccess(answer.body);
    const rejected = Math.min(rejectedSpans, request.spans);
    sent += request.spans - rejected;
    lose(rejected, `the receiver left them out${message && `: ${message}`}`);
    if (rejected === 0 && message !== "") diag.warn(`ThoughtFlow: ${place} says: ${message}`);
  }

  function halve(request: OutgoingRequest): void {
    const halves = halvesOf(request, format);
    if (halves === undefined)
      lose(request.spans, "a request with that one span alone is too large");
    for (const { body, spans } of halves ?? []) outbox.put(body, spans);
  }

  function put(spans: readonly ReadableSpan[]): void {
    const onUnreadable = () => lose(1, "a span can't be read");
    for (const batch of requestBatches(spans, config, onUnreadable)) {
      outbox.put(batch.body, batch.spans);
    }
  }

  async function flush(budgetMillis: number): Promise<FlushReport> {
    const deadline = performance.now() + budgetMillis;
    // Holds the process, as the sockets don't.
    const patience = waiting(budgetMillis);
    while (current !== undefined || outbox.waitingSpans() > 0) {
      const pause = failures > 0 && isPauseAsked ? pausedUntil - performance.now() : 0;
      if (performance.now() + Math.max(pause, 0) >= deadline) break;
      if (pause > 0) await waiting(pause).over;
      await Promise.race([send(), patience.over]);
      // Who asked for a pause gets it; who doesn't answer isn't waited for.
      if (failures > 0 && !isPauseAsked) break;
    }
    patience.cancel();
    return report();
  }

  function report(): FlushReport {
    const unsentSpans = (current?.spans ?? 0) + outbox.waitingSpans();
    return unsentSpans === 0
      ? { unsentSpans }
      : { unsentSpans, reason: failures > 0 ? reason : "there was no time to send them all" };
  }

  return {
    add(spans) {
      put(spans);
      if (failures > 0) outbox.spill();
      else void send();
    },
    resume: () => void send(),
    flush,
    hasWork: () =>
      current !== undefined ||
      outbox.spansInMemory() > 0 ||
      (failures === 0 && outbox.waitingSpans() > 0),
    drainSync(spans, patienceMillis) {
      isDrained = true;
      clearTimeout(timer);
      put(spans);
      // It may have arrived: twice is better than never.
      current?.release();
      current = undefined;
      const requests = outbox.takeAllSafely();
      const isWorthTrying = requests.length > 0 && failures === 0 && patienceMillis > 0;
      const bodies = requests.map(({ body }) => body);
      const accepted = isWorthTrying
        ? (parts.sendAtExit ?? sendAtExit)(config, bodies, patienceMillis)
        : [];
      const before = lostSpans();
      let left = 0;
      for (const [index, request] of requests.entries()) {
        if (accepted[index] === true) {
          sent += request.spans;
          request.remove();
        } else {
          left += request.spans;
          request.release();
        }
      }
      const lostNow = lostSpans() - before;
      // In an outage everything waits; otherwise what else is in the spool is an earlier process's.
      const spooledSpans = failures > 0 ? outbox.waitingSpans() : left - lostNow;
      const unsentSpans = spooledSpans + lostNow;
      return {
        unsentSpans,
        spooledSpans,
        ...(unsentSpans > 0 && {
          reason: failures > 0 ? reason : "the last try at the end failed",
        }),
      };
    },
    counts: () => ({ sent, lost: Object.fromEntries(lost) }),
    close: () => client.close(),
  };

  function lostSpans(): number {
    return [...lost.values()].reduce((sum, spans) => sum + spans, 0);
  }
}
