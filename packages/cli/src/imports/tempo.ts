import type { BackendClient } from "./backend-client.ts";
import { ImportProblem, type PullFormat } from "./import-format.ts";
import { jsonOf } from "./json-of.ts";
import { otlp } from "./otlp.ts";
import { isObject, listOf, membersOf } from "./plain-values.ts";
import { pulledTraces, type TraceSource } from "./pulled-traces.ts";

/** Tempo takes no longer range by default; without one it looks only at what came in last. */
const RANGE_SECONDS = 168 * 3600 - 60;

export const tempo: PullFormat = {
  summary:
    "traces of a Tempo, by its API (of the last 7 days, and what came in last) or from a file with an answer of it",
  what: "an answer of Tempo",
  recognise(value) {
    const { trace, batches } = membersOf(value);
    // What `batches` has are a request's own members: no other file of batches has them.
    return (
      otlp.recognise(trace) || listOf(batches).some((one) => isObject(membersOf(one)["resource"]))
    );
  },
  tellsSpans: true,
  takes: (name) => name.endsWith(".json"),
  read: otlp.read,
  pull: (client, choice, report) => pulledTraces(source(client), choice, report),
};

function source(client: BackendClient): TraceSource {
  return {
    async find({ session, query, limit }) {
      const q = query ?? `{ span.session.id = ${JSON.stringify(session ?? "")} }`;
      const end = Math.ceil(Date.now() / 1000);
      const wanted = { q, limit: String(limit + 1) };
      const range = { start: String(end - RANGE_SECONDS), end: String(end) };
      const found = await search(client, { ...wanted, ...range });
      if (found.length > limit) return found;
      // What is sent long after it was is outside any range up to now, also where some of its session was not.
      return [...found, ...(await search(client, wanted))];
    },
    looksAt: "the last 7 days and what came in last",
    trace: (id) => client.get(`/api/v2/traces/${id}`),
  };
}

async function search(
  client: BackendClient,
  parameters: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const text = await client.get("/api/search", parameters);
  if (text === undefined) throw new ImportProblem("it has no /api/search: is it a Tempo?");
  const { traces } = jsonOf(text) as { traces?: readonly { traceID: string }[] };
  return (traces ?? []).map(({ traceID }) => traceID.padStart(32, "0"));
}
