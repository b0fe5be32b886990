import type { FlowEdge, FlowGraph } from "./flow-graph.ts";
import { n } from "./svg-number.ts";
import { svgText } from "./svg-text.ts";
import { type Bar, barAt, measures, type Timeline } from "./timeline-layout.ts";

/** The arrow heads of these looks, each coloured by its class `m-…`. */
export function arrowHeadsOf(looks: readonly string[]): string {
  return looks
    .map(
      (look) =>
        `<marker id="tf-${look}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path class="m-${look}" d="M0 .5 8 4 0 7.5z"/></marker>`,
    )
    .join("");
}

/** The arrow heads, one for each origin. */
export const arrowHeads: string = arrowHeadsOf(["declared", "observed", "inferred"]);

/** Types of edges that only show the order. */
const orderTypes: ReadonlySet<string> = new Set(["follows", "sequential"]);

/** What only shows the order has no arrow: on a timeline the time does that. */
export function isDrawn({ style, type }: FlowEdge): boolean {
  return style !== "order" && !orderTypes.has(type);
}

/** The arrows between bars. */
export function arrowsOf(graph: FlowGraph, timeline: Timeline): readonly string[] {
  return graph.edges.flatMap((edge) => {
    const from = barAt(timeline, edge.from);
    const to = barAt(timeline, edge.to);
    if (!isDrawn(edge) || from === undefined || to === undefined) return [];
    const { style } = edge;
    return [
      `<path class="arrow ${style}" marker-end="url(#tf-${style})" d="${curve(from, to)}"><title>${svgText(describe(edge))}</title></path>`,
    ];
  });
}

function describe({ type, style, confidence }: FlowEdge): string {
  const sure = confidence === undefined ? "" : `, confidence ${confidence.toFixed(2)}`;
  return `${type} (${style}${sure})`;
}

/** Between a row's bars and the lane beside it. */
const laneDistance = 4;

/**
 * From one bar to the beginning of the other: sideways where there is room for a bend; else down (or up) out of
 * the first bar, just before the second begins; and where both begin together, around their left. What every
 * call is given (instructions, tools) would cross its own label and hide behind the calls: it has a lane.
 */
function curve(from: Bar, to: Bar): string {
  const half = measures.barHeight / 2;
  const [y1, y2] = [from.y + half, to.y + half];
  const gap = to.x - (from.x + from.width);
  if (from.kind === "context" && gap >= 14 && from.y !== to.y) return lane(from, to);
  if (gap >= 14 || (from.y === to.y && gap >= 0)) {
    const x1 = from.x + from.width;
    const bend = Math.min(48, gap / 2);
    return `M${n(x1)} ${n(y1)}C${n(x1 + bend)} ${n(y1)} ${n(to.x - bend)} ${n(y2)} ${n(to.x)} ${n(y2)}`;
  }
  const down = y2 >= y1 ? 1 : -1;
  const x1 = Math.min(from.x + from.width - 2, to.x - 9);
  if (x1 >= from.x + 2) {
    const corner = Math.min(7, Math.abs(y2 - y1) - half);
    return `M${n(x1)} ${n(y1 + half * down)}V${n(y2 - corner * down)}Q${n(x1)} ${n(y2)} ${n(x1 + 7)} ${n(y2)}H${n(to.x)}`;
  }
  const bow = Math.min(from.x, to.x) - Math.min(20, 8 + Math.abs(y2 - y1) / 8);
  return `M${n(from.x)} ${n(y1)}C${n(bow)} ${n(y1)} ${n(bow)} ${n(y2)} ${n(to.x)} ${n(y2)}`;
}

/** Out of the first bar, along the free lane beside the second bar's row, into its beginning. */
function lane(from: Bar, to: Bar): string {
  const half = measures.barHeight / 2;
  const down = to.y > from.y ? 1 : -1;
  const y1 = from.y + half + half * down;
  const y2 = to.y + half;
  const along = y2 - (half + laneDistance) * down;
  const corner = Math.min(5, Math.abs(along - y1));
  const [x1, x2] = [from.x + Math.min(4, from.width / 2), to.x - 9];
  return [
    `M${n(x1)} ${n(y1)}V${n(along - corner * down)}Q${n(x1)} ${n(along)} ${n(x1 + corner)} ${n(along)}`,
    `H${n(x2 - 5)}Q${n(x2)} ${n(along)} ${n(x2)} ${n(along + 5 * down)}`,
    `Q${n(x2)} ${n(y2)} ${n(to.x)} ${n(y2)}`,
  ].join("");
}
