import type { BackendClient } from "./backend-client.ts";
import { ImportProblem, type PullFormat } from "./import-format.ts";
import { jsonOf } from "./json-of.ts";
import { otlp } from "./otlp.ts";
import { membersOf } from "./plain-values.ts";
import { pulledTraces, type TraceSource } from "./pulled-traces.ts";

/** Tempo takes no longer range by default; without one it looks only at what came in last. */
const RANGE_SECONDS = 168 * 3600 - 60;

export const tempo: PullFormat = {
  summary: "traces of a Tempo, by its API (of the last 7 days) or from a file with an answer of it",
  what: "an answer of Tempo",
  recognise: (value) => otlp.recognise(membersOf(value)["trace"] ?? membersOf(value)["batches"]),
  takes: (name) => name.endsWith(".json"),
  read: otlp.read,
  pull: (client, choice, report) => pulledTraces(source(client), choice, report),
};

function source(client: BackendClient): TraceSource {
  return {
    async find({ session, query, limit }) {
      const q = query ?? `{ span.session.id = ${JSON.stringify(session ?? "")} }`;
      const end = Math.ceil(Date.now() / 1000);
      const found = await client.get("/api/search", {
        q,
        limit: String(limit + 1),
        start: String(end - RANGE_SECONDS),
        end: String(end),
      });
      return (tracesIn(found) ?? []).map(({ traceID }) => traceID.padStart(32, "0"));
    },
    trace: (id) => client.get(`/api/v2/traces/${id}`),
  };
}

function tracesIn(text: string | undefined): readonly { traceID: string }[] | undefined {
  if (text === undefined) throw new ImportProblem("it has no /api/search: is it a Tempo?");
  return (jsonOf(text) as { traces?: { traceID: string }[] }).traces;
}
