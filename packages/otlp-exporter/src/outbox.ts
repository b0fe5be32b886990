import { openSpool, type Spool, type SpooledRequest } from "@thoughtflow/journal";
import type { OtlpExporterConfig } from "./options.ts";
import { spoolFolders } from "./spool-folders.ts";

/** A request that waits: in memory or in the spool, and held by one sender while it is sent. */
export type OutgoingRequest = SpooledRequest;

/**
 * Requests for one destination: the newest in memory, what doesn't fit there or has to outlive the process in the spool.
 * Bounded by bytes on both sides.
 */
export interface Outbox {
  /** Takes a request; counts it as lost when neither memory nor disk has room. */
  put(body: Uint8Array, spans: number): void;
  /** The next request: memory first, so that an old outage doesn't delay what happens now. */
  take(): OutgoingRequest | undefined;
  /** Moves what is in memory to the spool, as far as it takes it. */
  spill(): void;
  /** Takes all of memory out, each request in the spool as well where that is possible. */
  takeAllSafely(): readonly OutgoingRequest[];
  /** Spans in memory, which end with the process. */
  spansInMemory(): number;
  /** All that wait. */
  waitingSpans(): number;
}

export function createOutbox(
  config: OtlpExporterConfig,
  lose: (spans: number, reason: string) => void,
): Outbox {
  const spool = spoolFor(config, lose);
  let memory: { readonly body: Uint8Array; readonly spans: number }[] = [];
  let bytes = 0;
  /** Nothing is looked for in a spool that was found empty. */
  let mayHoldMore = spool !== undefined;

  function putIntoSpool(body: Uint8Array, spans: number): OutgoingRequest | undefined {
    const held = spool?.add(body, spans);
    if (held !== undefined) mayHoldMore = true;
    return held;
  }

  function keep(body: Uint8Array, spans: number, isFirst: boolean): void {
    bytes += body.length;
    if (isFirst) memory.unshift({ body, spans });
    else memory.push({ body, spans });
  }

  function takeFromMemory(): OutgoingRequest | undefined {
    const request = memory.shift();
    if (request === undefined) return undefined;
    const { body, spans } = request;
    bytes -= body.length;
    return { body, spans, remove: () => {}, release: () => keep(body, spans, true) };
  }

  function takeFromSpool(): OutgoingRequest | undefined {
    if (!mayHoldMore) return undefined;
    const request = spool?.take();
    mayHoldMore = request !== undefined;
    return request && { ...request, release: () => giveBack(request) };
  }

  function giveBack(request: OutgoingRequest): void {
    mayHoldMore = true;
    request.release();
  }

  function takeAll(): typeof memory {
    const all = memory;
    memory = [];
    bytes = 0;
    return all;
  }

  return {
    put(body, spans) {
      const fits = bytes + body.length <= config.maxQueueBytes;
      if (fits) keep(body, spans, false);
      else {
        const held = putIntoSpool(body, spans);
        if (held === undefined) lose(spans, "the queue is full");
        else held.release();
      }
    },
    take: () => takeFromMemory() ?? takeFromSpool(),
    spill() {
      if (spool === undefined) return;
      for (const { body, spans } of takeAll()) {
        const held = putIntoSpool(body, spans);
        if (held === undefined) keep(body, spans, false);
        else held.release();
      }
    },
    takeAllSafely: () =>
      takeAll().map(
        ({ body, spans }) =>
          putIntoSpool(body, spans) ?? {
            body,
            spans,
            remove: () => {},
            release: () => lose(spans, "the process ended before they were sent"),
          },
      ),
    spansInMemory: () => memory.reduce((sum, { spans }) => sum + spans, 0),
    waitingSpans() {
      const inMemory = memory.reduce((sum, { spans }) => sum + spans, 0);
      return inMemory + (mayHoldMore ? (spool?.waitingSpans() ?? 0) : 0);
    },
  };
}

function spoolFor(
  config: OtlpExporterConfig,
  onLoss: (spans: number, reason: string) => void,
): Spool | undefined {
  const { spoolDir, maxSpoolBytes, maxSpoolAgeMillis } = config;
  if (spoolDir === undefined) return undefined;
  return openSpool({
    dir: spoolDir,
    folders: spoolFolders(config),
    maxBytes: maxSpoolBytes,
    maxAgeMillis: maxSpoolAgeMillis,
    onLoss,
  });
}
