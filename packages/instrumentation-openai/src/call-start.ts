import type { Attributes, Context, Span } from "@opentelemetry/api";
import { context, SpanKind } from "@opentelemetry/api";
import { providerOf } from "@thoughtflow/dialects";
import {
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_THOUGHTFLOW_OUTER_SPAN_ID,
} from "@thoughtflow/semconv";
import type { ModelCallContent } from "@thoughtflow/tracing/internal";
import { attachContent, beginTracing } from "@thoughtflow/tracing/internal";
import { inOrder } from "./call-order.ts";
import { tellBeginning } from "./call-telling.ts";
import { guarded } from "./degradation.ts";
import type { DerivedRun } from "./derived-runs.ts";
import { hasNoSpan } from "./derived-runs.ts";
import type { ObservedEndpoint } from "./endpoints.ts";
import { insideSpan } from "./inside-span.ts";
import { withLegacyNames } from "./legacy-names.ts";
import type { ModelCall } from "./model-call.ts";
import type { Observer } from "./observer.ts";
import { outerCallOf } from "./outer-call.ts";
import { copyRequest } from "./request-copy.ts";
import { openRunOf, toolLoopOf } from "./tool-runners/tool-loop.ts";

/**
 * Starts the span of a call, below the caller's span, an open derived run or a new one. A call that is not
 * sampled has a context and nothing else.
 *
 * @param startTime of a call that turns out to be one only now; default: now
 */
export function startCall(
  observer: Observer,
  endpoint: ObservedEndpoint,
  baseUrl: unknown,
  parameters: unknown,
  startTime?: number,
): ModelCall | { readonly span: Span; readonly context: Context } {
  beginTracing();
  const { dialect } = endpoint;
  const request = copyRequest(parameters);
  const caller = context.active();
  const loop = toolLoopOf(caller);
  const run =
    openRunOf(loop) ?? (hasNoSpan(caller) ? runOf(observer, endpoint, request, caller) : undefined);
  const parent = loop === undefined ? (run?.context ?? caller) : caller;
  const attributes = dialect.requestAttributes(request);
  const { name: provider, address, port } = providerOf(baseUrl);
  const outer = outerCallOf(caller);
  const model = attributes[ATTR_GEN_AI_REQUEST_MODEL];
  const title = dialect.operation || endpoint.route;
  const startAttributes: Attributes = { ...endpoint.attributes, ...attributes };
  startAttributes[ATTR_GEN_AI_PROVIDER_NAME] = provider;
  if (address !== undefined) startAttributes[ATTR_SERVER_ADDRESS] = address;
  if (port !== undefined) startAttributes[ATTR_SERVER_PORT] = port;
  if (outer !== undefined) startAttributes[ATTR_THOUGHTFLOW_OUTER_SPAN_ID] = outer.spanId;
  const span = observer.tracer.startSpan(
    model === undefined ? title : `${title} ${model}`,
    {
      kind: SpanKind.CLIENT,
      attributes: observer.legacyNames ? withLegacyNames(startAttributes) : startAttributes,
      ...(startTime !== undefined && { startTime }),
    },
    parent,
  );
  if (loop !== undefined) loop.latestCall = span.spanContext();
  const inside = insideSpan(parent, span);
  if (!span.isRecording()) return { span, context: inside };
  const content: ModelCallContent = { dialect, request };
  attachContent(span, content);
  guarded("announcing the span", () => observer.sink.onStart(span, parent));
  if (run !== undefined) observer.runs?.enter(run, dialect.inputItems(request));
  const call: ModelCall = {
    observer,
    dialect,
    span,
    context: inside,
    content,
    startAttributes,
    parameters: attributes,
    hasHistory: endpoint.hasHistory,
    run,
    outer,
    startedAt: performance.now() - (startTime === undefined ? 0 : Date.now() - startTime),
    response: undefined,
    found: {},
    output: [],
    outcome: undefined,
    session: undefined,
    placed: undefined,
    fold: undefined,
    options: undefined,
    retries: 0,
    chunks: 0,
    chunkClock: undefined,
    parsing: false,
    observed: false,
    ended: false,
    unread: undefined,
    release: undefined,
  };
  inOrder(call, tellBeginning);
  return call;
}

/** A request that goes on with an open run belongs to it; only one with a history opens another. */
function runOf(
  { runs }: Observer,
  { dialect, hasHistory, step }: ObservedEndpoint,
  request: unknown,
  caller: Context,
): DerivedRun | undefined {
  if (runs === undefined || (!hasHistory && step !== "completes")) return undefined;
  return runs.find(dialect, request) ?? (hasHistory ? runs.open(caller) : undefined);
}
