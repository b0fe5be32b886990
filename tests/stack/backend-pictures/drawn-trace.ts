import { svgText } from "@thoughtflow/render";

/** A span as a backend gave it back, whatever its form there. */
export interface PicturedSpan {
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Milliseconds. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** `type` where the backend gave it, else what it calls any link. */
  readonly links: readonly { readonly spanId: string; readonly type: string }[];
}

const WIDTH = 900;
const NAMES = 330;
const ROW = 46;
const TOP = 92;
const MARGIN = 16;

const STYLE = `text{font-family:Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:12px;fill:#334155}
.ground{fill:#fff}.title{font-size:16px;font-weight:600;fill:#0f172a}.faint{fill:#64748b;font-size:11px}.line{stroke:#e2e8f0}
.agent{fill:#cffafe;stroke:#0891b2}.model{fill:#e0e7ff;stroke:#6366f1}.tool{fill:#fef3c7;stroke:#d97706}
@media (prefers-color-scheme: dark){text{fill:#cbd5e1}.ground{fill:#0d1117}.title{fill:#f1f5f9}.faint{fill:#93a1b5}.line{stroke:#263241}
.agent{fill:#12404d}.model{fill:#302f63}.tool{fill:#4a3410}}`;

/**
 * A trace as an SVG: a row for each span, below its parent, in the order of time and of links, with its tokens and what it is linked to. What
 * differs from run to run is the place and width of bars, and texts of the class `time`.
 *
 * @param title what was asked
 * @param source where the answer came from
 */
export function drawnTrace(title: string, source: string, spans: readonly PicturedSpan[]): string {
  const rows = inOrder(spans);
  const start = Math.min(...spans.map(({ startMs }) => startMs));
  const end = Math.max(...spans.map(({ startMs, durationMs }) => startMs + durationMs));
  const scale = (WIDTH - NAMES - 3 * MARGIN - 60) / Math.max(end - start, 1e-6);
  const height = TOP + rows.length * ROW + MARGIN;
  const nameOf = new Map(
    rows.map(({ span }, at) => [span.spanId, `${span.name} in row ${at + 1}`]),
  );
  const drawn = rows.map(({ span, depth }, at) => {
    const y = TOP + at * ROW;
    const x = MARGIN + NAMES + (span.startMs - start) * scale;
    const width = Math.max(2, span.durationMs * scale);
    const told = [
      tokensOf(span),
      ...span.links.map(({ spanId, type }) => `${type} ${nameOf.get(spanId) ?? "another trace"}`),
    ].filter((line) => line !== "");
    return [
      `<line class="line" x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${y - 6}" y2="${y - 6}"/>`,
      `<text class="name" x="${MARGIN + depth * 18}" y="${y + 12}">${at + 1}  ${svgText(span.name)}</text>`,
      `<text class="faint" x="${MARGIN + depth * 18}" y="${y + 29}">${svgText(told.join(" · "))}</text>`,
      `<rect class="${kindOf(span)}" x="${x.toFixed(1)}" y="${y + 1}" width="${width.toFixed(1)}" height="15" rx="3"/>`,
      `<text class="faint time" x="${(x + width + 6).toFixed(1)}" y="${y + 13}">${span.durationMs.toFixed(1)} ms</text>`,
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${svgText(title)}</title>
<style>
${STYLE}
</style>
<rect class="ground" width="${WIDTH}" height="${height}"/>
<text class="title" x="${MARGIN}" y="34">${svgText(title)}</text>
<text class="faint" x="${MARGIN}" y="56">${svgText(source)}</text>
${drawn.join("\n")}
</svg>
`;
}

/** What a picture of a trace tells, without how long everything took. */
export function toldBy(picture: string): readonly string[] {
  return Array.from(picture.matchAll(/<text class="([^"]*)"[^>]*>([^<]*)/g))
    .filter(([, kind = ""]) => !kind.includes("time"))
    .map(([, , text = ""]) => text);
}

function inOrder(spans: readonly PicturedSpan[]) {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const byTime = causal(spans.toSorted((a, b) => a.startMs - b.startMs));
  const below = (
    parent: string | undefined,
    depth: number,
  ): { span: PicturedSpan; depth: number }[] =>
    byTime
      .filter(({ parentSpanId }) =>
        parent === undefined ? !ids.has(parentSpanId ?? "") : parentSpanId === parent,
      )
      .flatMap((span) => [{ span, depth }, ...below(span.spanId, depth + 1)]);
  return below(undefined, 0);
}

/** What is linked to stands first: of two that begin within a millisecond the clock doesn't tell which one did before. */
function causal(spans: readonly PicturedSpan[]): readonly PicturedSpan[] {
  const placed = new Map<string, PicturedSpan>();
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const place = (span: PicturedSpan): void => {
    if (placed.has(span.spanId)) return;
    for (const { spanId } of span.links) {
      const target = byId.get(spanId);
      if (target !== undefined) place(target);
    }
    placed.set(span.spanId, span);
  };
  for (const span of spans) place(span);
  return [...placed.values()];
}

function tokensOf({ attributes }: PicturedSpan): string {
  const [input, output] = ["input", "output"].map(
    (kind) => attributes[`gen_ai.usage.${kind}_tokens`],
  );
  return input === undefined ? "" : `${input} → ${output} tokens`;
}

function kindOf({ attributes }: PicturedSpan): string {
  const operation = attributes["gen_ai.operation.name"];
  if (operation === "chat") return "model";
  return operation === "execute_tool" ? "tool" : "agent";
}
