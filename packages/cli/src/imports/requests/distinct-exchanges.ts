import { hash } from "node:crypto";
import { LruMap } from "@thoughtflow/workflow";
import type { ImportReport } from "../import-format.ts";
import type { LoggedExchange } from "./logged-exchange.ts";

/** So many requests back, of whatever sessions, a repeated id is found. */
const REMEMBERED = 50_000;

/**
 * Tells the exchanges of each log apart: gives each by an id of its own, nothing when the same line was there before. Without an answer's id
 * lines are told apart by their times: who asks for the same again, or several at once, does so a few milliseconds later.
 *
 * @returns takes what names the log, an exchange and its line
 */
export function createDistinctExchanges(
  report: ImportReport,
): (log: string, exchange: LoggedExchange, text: string) => LoggedExchange | undefined {
  const seen = new LruMap<string, string>(REMEMBERED);
  return (log, exchange, text) => {
    const body = hash("sha256", text);
    if (isTimed(exchange)) {
      const line = `${log}\n${body}`;
      if (seen.get(line) !== undefined) return repeated();
      seen.set(line, body);
    }
    for (let count = 1; ; count++) {
      const requestId = count === 1 ? exchange.requestId : `${exchange.requestId}~${count}`;
      const key = `${log}\n${requestId}`;
      const known = seen.get(key);
      if (known === body) return repeated();
      if (known !== undefined) continue;
      seen.set(key, body);
      if (count === 1) return exchange;
      report.warn(
        `two different answers have the id ${exchange.requestId}; the second is kept as ${requestId}`,
      );
      return { ...exchange, requestId };
    }
  };

  function repeated(): undefined {
    report.lost("exchange that is logged twice");
    return undefined;
  }
}

/** Nothing but its time tells it from others, and that to less than a second, in which many may be asked the same. */
function isTimed({ responseId, startMs }: LoggedExchange): boolean {
  return responseId === undefined && startMs % 1000 !== 0;
}
