import type { Session } from "@thoughtflow/schema";
import type { Recording, Replay } from "./replay-recordings.ts";

/** A recording's bytes on the wire and in its files; a session that several recordings share is divided by their steps. */
export interface Traffic {
  readonly name: string;
  readonly requests: number;
  /** Of the bodies of requests and answers. */
  readonly raw: number;
  /** Of the documents. */
  readonly documents: number;
}

/** In the order of the recordings; only those whose requests are known. */
export function trafficOf(recordings: readonly Recording[], replay: Replay): Traffic[] {
  const places = placesOf(replay);
  return recordings.flatMap(({ name, exchanges }) => {
    if (exchanges.some(({ request }) => request.body === null)) return [];
    const raw = exchanges.reduce(
      (sum, { request, response }) => sum + bytesOf(request.body) + bytesOf(response.body),
      0,
    );
    let documents = 0;
    for (const { recording, step } of replay.calls) {
      if (recording === name && step?.span_id !== undefined)
        documents += places.get(step.span_id) ?? 0;
    }
    return [{ name, requests: exchanges.length, raw, documents: Math.round(documents) }];
  });
}

/** As the page has it: one row a recording, the largest first, and the sum. */
export function trafficTable(traffic: readonly Traffic[]): string {
  const rows = traffic.toSorted((a, b) => b.raw - a.raw).map(row);
  const sum = (count: (one: Traffic) => number) => traffic.reduce((all, one) => all + count(one), 0);
  const total = row({
    name: "all",
    requests: sum(({ requests }) => requests),
    raw: sum(({ raw }) => raw),
    documents: sum(({ documents }) => documents),
  });
  return ["| recording | requests | traffic | document | share |", "|---|--:|--:|--:|--:|", ...rows, total].join("\n");
}

/** What such a table says: by recording its document's share of the traffic. */
export function sharesIn(page: string): ReadonlyMap<string, number> {
  const rows = page.matchAll(/^\| (\S+) \| \d+ \| \d+ \| \d+ \| ([\d.]+) \|$/gm);
  return new Map([...rows].map(([, name = "", share]) => [name, Number(share)]));
}

function row({ name, requests, raw, documents }: Traffic): string {
  return `| ${name} | ${requests} | ${raw} | ${documents} | ${(documents / raw).toFixed(2)} |`;
}

/** The bytes of a document that each recorded call stands for. */
function placesOf({ sessions, files }: Replay): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [i, session] of sessions.entries()) {
    const calls = recordedSpans(session);
    for (const id of calls) places.set(id, Buffer.byteLength(files[i] ?? "") / calls.length);
  }
  return places;
}

function recordedSpans({ conversations }: Session): string[] {
  return conversations.flatMap(({ steps }) =>
    steps.flatMap(({ origin, span_id: id }) => (origin === "recorded" && id ? [id] : [])),
  );
}

function bytesOf(body: unknown): number {
  return Buffer.byteLength(typeof body === "string" ? body : JSON.stringify(body));
}
