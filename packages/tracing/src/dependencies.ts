import type { Attributes, Context, Link, Span, SpanContext } from "@opentelemetry/api";
import type { EdgeOrigin } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_ATTRIBUTION_LINK_TYPE,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DEPENDS_ON_CONFIDENCES,
  ATTR_THOUGHTFLOW_DEPENDS_ON_ORIGINS,
  ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES,
  ATTR_THOUGHTFLOW_EDGE_ORIGIN,
  ATTR_THOUGHTFLOW_LINK_TYPE,
  ATTRIBUTION_CAUSED_BY_GENERATION,
  ATTRIBUTION_INFORMED_BY,
  ATTRIBUTION_RETRY_OF,
} from "@thoughtflow/semconv";
import type { Dependency } from "./dependency.ts";
import { runOf, sessionOf } from "./flow-context.ts";
import type { StepReference } from "./step-reference.ts";

/** One dependency as it is written down. */
interface Edge {
  /** As seen from the step that depends. */
  readonly id: string;
  readonly type: string;
  readonly origin: EdgeOrigin;
  /** From 0 to 1, of what is inferred. */
  readonly confidence: number | undefined;
  readonly spanContext: SpanContext | undefined;
}

/** What is known of a step without the program's saying: by ids that match, or by inference. */
export interface KnownDependencies {
  readonly origin: "observed" | "inferred";
  /** The session of the step that depends, where its context declares none. */
  readonly sessionId?: string | undefined;
  readonly on: readonly Dependency[];
}

/** All that one step rests on, growing. */
export interface Dependencies {
  /**
   * Takes in what is new and gives the links of it; nothing is written yet.
   *
   * @param confidence from 0 to 1: how sure it is, where it is inferred
   */
  add(on: readonly Dependency[], origin?: EdgeOrigin, confidence?: number): readonly Link[];
  /** The authoritative form: ids, and types where they say something. */
  attributes(): Attributes;
}

const PLAIN = "depends_on";

/**
 * What a step in this context rests on; nothing at first.
 *
 * @param sessionId the session of the step, where its context declares none
 */
export function createDependencies(context: Context, sessionId?: string): Dependencies {
  const edges = new Map<string, Edge>();
  const session = sessionOf(context)?.sessionId ?? sessionId;
  return {
    add(on, origin = "declared", confidence = undefined) {
      const links: Link[] = [];
      for (const dependency of on) {
        const edge = { ...edgeOf(dependency, context, session), origin, confidence };
        const key = `${edge.type} ${edge.id}`;
        if (edge.id === "" || edges.has(key)) continue;
        edges.set(key, edge);
        if (edge.spanContext !== undefined) links.push(linkOf(edge.spanContext, edge.type, origin));
      }
      return links;
    },
    attributes() {
      const all = [...edges.values()];
      if (all.length === 0) return {};
      const types = all.map(({ type }) => type);
      const origins = all.map(({ origin }) => origin);
      return {
        [ATTR_THOUGHTFLOW_DEPENDS_ON]: all.map(({ id }) => id),
        ...(types.some((type) => type !== PLAIN) && { [ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES]: types }),
        ...(origins.some((origin) => origin !== "declared") && {
          [ATTR_THOUGHTFLOW_DEPENDS_ON_ORIGINS]: origins,
        }),
        ...(all.some(({ confidence }) => confidence !== undefined) && {
          [ATTR_THOUGHTFLOW_DEPENDS_ON_CONFIDENCES]: all.map(({ confidence = "" }) =>
            String(confidence),
          ),
        }),
      };
    },
  };
}

/** Writes dependencies to a span that is open already. */
export function writeDependencies(
  span: Span,
  dependencies: Dependencies,
  links: readonly Link[],
): void {
  span.setAttributes(dependencies.attributes());
  for (const link of links) span.addLink(link);
}

/** Options take one dependency or several. */
export function dependencyList(
  on: Dependency | readonly Dependency[] | undefined,
): readonly Dependency[] {
  if (on === undefined) return [];
  return isList(on) ? on : [on];
}

function isList(on: Dependency | readonly Dependency[]): on is readonly Dependency[] {
  return Array.isArray(on);
}

function edgeOf(
  dependency: Dependency,
  context: Context,
  session: string | undefined,
): Pick<Edge, "id" | "type" | "spanContext"> {
  if (typeof dependency === "object" && "on" in dependency) {
    return { ...edgeOf(dependency.on, context, session), type: dependency.type };
  }
  if (typeof dependency === "string") {
    const spanContext = runOf(context)?.named.get(dependency);
    return { id: dependency, type: PLAIN, spanContext };
  }
  const { spanContext } = dependency;
  return { id: idSeenFrom(context, session, dependency), type: PLAIN, spanContext };
}

/** A step's id as another step names it: bare in the same run, with its run or its trace before it elsewhere. */
function idSeenFrom(context: Context, session: string | undefined, step: StepReference): string {
  const { id, runId, sessionId, spanContext } = step;
  if (id === "") return id;
  if (sessionId !== undefined && sessionId !== session && spanContext !== undefined) {
    return `${spanContext.traceId}/${id}`;
  }
  return runId === undefined || runId === runOf(context)?.runId ? id : `${runId}/${id}`;
}

const ATTRIBUTIONS: ReadonlyMap<string, string> = new Map([
  ["requests", ATTRIBUTION_CAUSED_BY_GENERATION],
  ["reads", ATTRIBUTION_INFORMED_BY],
  ["continues", ATTRIBUTION_INFORMED_BY],
  ["retry_of", ATTRIBUTION_RETRY_OF],
]);

/** The link of an edge. `from` and `to` are for backends that draw links: the output there is the input here. */
export function linkOf(context: SpanContext, type: string, origin: EdgeOrigin): Link {
  const attribution = ATTRIBUTIONS.get(type);
  return {
    context,
    attributes: {
      [ATTR_THOUGHTFLOW_LINK_TYPE]: type,
      [ATTR_THOUGHTFLOW_EDGE_ORIGIN]: origin,
      ...(attribution !== undefined && { [ATTR_GEN_AI_ATTRIBUTION_LINK_TYPE]: attribution }),
      from: "output",
      to: "input",
    },
  };
}
