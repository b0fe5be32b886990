import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";

/**
 * Spans as an outline, in their order: name, how it ended, and what it rests on as
 * `thoughtflow.depends_on` and the links say it; `(no link)` and `(link)` where only one of them does. Spans of one
 * name are numbered.
 */
export function spanTree(spans: readonly ReadableSpan[]): readonly string[] {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { name } of spans) counts.set(name, (counts.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  for (const span of spans) {
    const n = (seen.get(span.name) ?? 0) + 1;
    seen.set(span.name, n);
    names.set(
      span.spanContext().spanId,
      counts.get(span.name) === 1 ? span.name : `${span.name} #${n}`,
    );
  }
  const named = (id: string): string =>
    id.replace(
      /(?:[0-9a-f]{32}\/)?s_([0-9a-f]{16})/,
      (whole, spanId) => names.get(spanId) ?? whole,
    );

  const below = (parent: string | undefined, indent: string): string[] =>
    spans
      .filter(
        ({ parentSpanContext: above }) =>
          (above && names.has(above.spanId) ? above.spanId : undefined) === parent,
      )
      .flatMap((span) => [
        [
          `${indent}${names.get(span.spanContext().spanId)}`,
          ...outcomeOf(span),
          ...edgesOf(span, named),
        ].join(" · "),
        ...below(span.spanContext().spanId, `${indent}  `),
      ]);
  return below(undefined, "");
}

function outcomeOf({ attributes, status }: ReadableSpan): readonly string[] {
  const told = [
    "thoughtflow.outcome",
    "thoughtflow.step.status",
    "thoughtflow.run.status",
    "error.type",
  ]
    .map((name) => attributes[name])
    .filter((value) => value !== undefined);
  return [...told.map(String), ...(status.code === 2 && told.length === 0 ? ["error"] : [])];
}

function edgesOf(
  { attributes, links }: ReadableSpan,
  named: (id: string) => string,
): readonly string[] {
  const list = (name: string): string[] => (attributes[name] as string[] | undefined) ?? [];
  const types = list("thoughtflow.depends_on.types");
  const origins = list("thoughtflow.depends_on.origins");
  const linked = links.map(({ context, attributes: link = {} }) => ({
    type: `${link["thoughtflow.link.type"]}`,
    origin: `${link["thoughtflow.edge.origin"]}`,
    id: `s_${context.spanId}`,
  }));
  const told = list("thoughtflow.depends_on").map((id, i) => {
    const edge = { type: types[i] ?? "depends_on", origin: origins[i] ?? "declared", id };
    const at = linked.findIndex((link) => link.type === edge.type && id.includes(link.id));
    if (at !== -1) linked.splice(at, 1);
    return written(edge, named, at === -1 ? " (no link)" : "");
  });
  return [...told, ...linked.map((link) => written(link, named, " (link)"))];
}

function written(
  { type, origin, id }: { type: string; origin: string; id: string },
  named: (id: string) => string,
  form: string,
): string {
  return `${type}${origin === "observed" ? "" : ` ${origin}`} → ${named(id)}${form}`;
}
