import { decodeJsonRequest } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_LINK_TYPE,
} from "@thoughtflow/semconv";
import { madeSpan, sendSpans } from "./made-spans.ts";
import { getJson, until } from "./polling.ts";

/** A span as a backend gives it back. */
export interface KeptSpan {
  readonly spanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly Pick<SpanRecord["links"][number], "spanId" | "attributes">[];
}

/** Where spans go in, and how they are asked for. */
export interface AskedBackend {
  readonly otlpEndpoint: string;
  /** What it has of a trace by now. */
  trace(traceId: string): Promise<readonly KeptSpan[]>;
}

/** Jaeger's answer is OTLP. */
export function askJaeger(otlpEndpoint: string, queryEndpoint: string): AskedBackend {
  return {
    otlpEndpoint,
    trace: async (id) =>
      spansIn((await getJson(`${queryEndpoint}/api/v3/traces/${id}`))?.["result"]),
  };
}

/** Tempo's is, too, with ids in base64. */
export function askTempo(otlpEndpoint: string, queryEndpoint: string): AskedBackend {
  return {
    otlpEndpoint,
    trace: async (id) =>
      spansIn((await getJson(`${queryEndpoint}/api/v2/traces/${id}`))?.["trace"]),
  };
}

/** Phoenix says attributes; links are in none of its answers. */
export function askPhoenix(url: string): AskedBackend {
  return {
    otlpEndpoint: url,
    async trace(id) {
      const found = await getJson(`${url}/v1/projects/default/spans?trace_id=${id}`);
      const spans = (found?.["data"] ?? []) as readonly {
        readonly context: { readonly trace_id: string; readonly span_id: string };
        readonly attributes: Readonly<Record<string, unknown>>;
      }[];
      return spans
        .filter(({ context }) => context.trace_id === id)
        .map(({ context, attributes }) => ({ spanId: context.span_id, attributes, links: [] }));
    },
  };
}

function spansIn(request: unknown): readonly KeptSpan[] {
  if (request === undefined) return [];
  return decodeJsonRequest(JSON.stringify(request)).records.map((record) => ({
    spanId: record.spanId,
    attributes: { ...record.attributes, ...record.content },
    links: record.links,
  }));
}

/** As long as the answers of models get. */
const LONG = 100_000;

/** What a backend gives back of a span with everything on it, in words for the table of docs/backends.md. */
export async function whatSurvives(name: string, backend: AskedBackend): Promise<string> {
  const session = "survival";
  const first = madeSpan({ trace: 7, span: 71, session, operation: "execute_tool" });
  const text = "long ".repeat(LONG / 5);
  const messages = JSON.stringify([
    { role: "assistant", parts: [{ type: "text", content: text }] },
  ]);
  const second = madeSpan({
    trace: 7,
    span: 72,
    session,
    operation: "chat",
    parentSpanId: first.spanId,
    attributes: { [ATTR_THOUGHTFLOW_DEPENDS_ON]: ["one", "two"] },
    content: { [ATTR_GEN_AI_OUTPUT_MESSAGES]: messages },
    links: [
      {
        traceId: first.traceId,
        spanId: first.spanId,
        attributes: { [ATTR_THOUGHTFLOW_LINK_TYPE]: "reads" },
      },
    ],
  });
  await sendSpans(backend.otlpEndpoint, [first, second]);
  const kept = await until(`a span with everything on it in ${name}`, async () =>
    (await backend.trace(second.traceId)).find(({ spanId }) => spanId === second.spanId),
  );
  const link = kept.links.find(({ spanId }) => spanId === first.spanId);
  const dependsOn = kept.attributes[ATTR_THOUGHTFLOW_DEPENDS_ON];
  const said = String(kept.attributes[ATTR_GEN_AI_OUTPUT_MESSAGES] ?? "");
  const cells = [
    name,
    yesNo(link !== undefined),
    yesNo(link?.attributes[ATTR_THOUGHTFLOW_LINK_TYPE] === "reads"),
    yesNo(JSON.stringify(dependsOn) === '["one","two"]'),
    said === messages ? "whole" : `the first ${said.length} bytes`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function yesNo(is: boolean): string {
  return is ? "yes" : "no";
}
