import type { Attributes, Session, SpanRecord } from "@thoughtflow/schema";

/** A span of a trace, told in few words. Spans of one test begin one second after the other. */
export function spanOf(
  spanId: number,
  attributes: Attributes,
  { parent, ...more }: Partial<SpanRecord> & { readonly parent?: number } = {},
): SpanRecord {
  const second = 1_700_000_000 + spanId;
  return {
    type: "span_end",
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: idOf(spanId),
    ...(parent !== undefined && { parentSpanId: idOf(parent) }),
    name: `span ${spanId}`,
    kind: "internal",
    startTimeUnixNano: `${second}000000000`,
    endTimeUnixNano: `${second + 100}000000000`,
    status: { code: "unset" },
    attributes,
    events: [],
    links: [],
    scope: { name: "other" },
    resource: {},
    ...more,
  };
}

function idOf(n: number): string {
  return n.toString(16).padStart(16, "0");
}

/** A session's steps, one line each: label, what it says, tokens. */
export function linesOf(session: Session | undefined): readonly string[] {
  return (session?.conversations ?? [])
    .flatMap(({ steps }) => steps)
    .map(({ label, payload_started: started, payload_completed: completed, usage }) => {
      const { name, model, text, args } = { ...started };
      const {
        text: answer,
        text_preview: preview,
        result,
        function_calls: calls,
      } = { ...completed };
      const called = (calls as { name: string }[] | undefined)?.map((call) => call.name);
      const told = [name, model, text, args, answer ?? preview, called, result]
        .filter((one) => one !== undefined)
        .map((one) => brief(typeof one === "string" ? one : JSON.stringify(one)));
      const tokens =
        usage === undefined ? "" : ` ${usage.input_tokens ?? 0}+${usage.output_tokens ?? 0}`;
      return `${label}: ${told.join(" | ")}${tokens}`;
    });
}

function brief(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
