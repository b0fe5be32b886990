import { decodeJsonRequest } from "@thoughtflow/otlp";
import type { BackendClient, TraceChoice } from "./backend-client.ts";
import { ImportProblem, type PullFormat } from "./import-format.ts";
import { jaegerTracesIn, recordsOfJaegerTrace } from "./jaeger-json.ts";
import { jsonOf } from "./json-of.ts";
import { pulledTraces, type TraceSource } from "./pulled-traces.ts";

const RANGE_MICROSECONDS = 30 * 24 * 3600 * 1_000_000;

export const jaeger: PullFormat = {
  summary:
    "traces of a Jaeger, by its API (of the last 30 days) or from files: what its page saves, and answers of its APIs",
  what: "traces of Jaeger",
  recognise: (value) => jaegerTracesIn(value) !== undefined,
  tellsSpans: true,
  takes: (name) => name.endsWith(".json"),
  async *read(files, report) {
    for (const file of files) {
      const text = await file.text();
      const traces = jaegerTracesIn(jsonOf(text));
      if (traces !== undefined) {
        for (const trace of traces) yield* recordsOfJaegerTrace(trace, report);
        continue;
      }
      const { records, rejected } = decodeJsonRequest(text);
      if (records.length === 0)
        throw new ImportProblem("it holds neither Jaeger's traces nor OTLP");
      for (const _ of rejected) report.lost("broken spans");
      yield* records;
    }
  },
  pull: (client, choice, report) => pulledTraces(source(client), choice, report),
};

function source(client: BackendClient): TraceSource {
  return {
    async find(choice) {
      const services = await listOf<string>(client, "/api/services");
      const ids: string[] = [];
      for (const service of services) ids.push(...(await idsOf(client, service, choice)));
      return ids;
    },
    looksAt: "the last 30 days",
    trace: (id) => client.get(`/api/v3/traces/${id}`),
  };
}

/** A search wants a service; of a session all are asked. */
async function idsOf(
  client: BackendClient,
  service: string,
  { session, query, limit }: TraceChoice,
): Promise<readonly string[]> {
  const end = Date.now() * 1000;
  const traces = await listOf<{ traceID: string }>(client, "/api/traces", {
    service,
    tags: query ?? JSON.stringify({ "session.id": session }),
    limit: String(limit + 1),
    start: String(end - RANGE_MICROSECONDS),
    end: String(end),
  });
  return traces.map(({ traceID }) => traceID.padStart(32, "0"));
}

async function listOf<T>(
  client: BackendClient,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<readonly T[]> {
  const text = await client.get(path, parameters);
  if (text === undefined) throw new ImportProblem(`it has no ${path}: is it a Jaeger?`);
  return (jsonOf(text) as { data?: readonly T[] | null }).data ?? [];
}
