import type { Context, Span } from "@opentelemetry/api";
import { context, SpanKind, trace } from "@opentelemetry/api";
import type { Dialect } from "@thoughtflow/dialects";
import { providerOf } from "@thoughtflow/dialects";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
} from "@thoughtflow/semconv";
import type { ModelCallContent } from "@thoughtflow/tracing";
import { attachContent } from "@thoughtflow/tracing";
import { guarded } from "./degradation.ts";
import { hasNoSpan } from "./derived-runs.ts";
import type { ModelCall } from "./model-call.ts";
import type { Observer } from "./observer.ts";
import { copyRequest } from "./request-copy.ts";
import { placeSoon } from "./session-placement.ts";

/**
 * Starts the span of a call, below the caller's span, an open derived run or a new one. A call that is not
 * sampled has a context and nothing else.
 */
export function startCall(
  observer: Observer,
  dialect: Dialect,
  hasHistory: boolean,
  baseUrl: unknown,
  parameters: unknown,
): ModelCall | { readonly span: Span; readonly context: Context } {
  const request = copyRequest(parameters);
  const caller = context.active();
  const run =
    hasHistory && observer.runs !== undefined && hasNoSpan(caller)
      ? (observer.runs.find(dialect, request) ?? observer.runs.open(caller))
      : undefined;
  const parent = run?.context ?? caller;
  const attributes = dialect.requestAttributes(request);
  const { name: provider, address, port } = providerOf(baseUrl);
  const model = attributes[ATTR_GEN_AI_REQUEST_MODEL];
  const span = observer.tracer.startSpan(
    model === undefined ? dialect.operation : `${dialect.operation} ${model}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        [ATTR_GEN_AI_OPERATION_NAME]: dialect.operation,
        [ATTR_GEN_AI_PROVIDER_NAME]: provider,
        ...attributes,
        ...(address !== undefined && { [ATTR_SERVER_ADDRESS]: address }),
        ...(port !== undefined && { [ATTR_SERVER_PORT]: port }),
      },
    },
    parent,
  );
  const inside = trace.setSpan(parent, span);
  if (!span.isRecording()) return { span, context: inside };
  const content: ModelCallContent = { dialect, request };
  attachContent(span, content);
  guarded("announcing the span", () => observer.sink?.onStart(span, parent));
  if (run !== undefined) observer.runs?.enter(run, dialect.inputItems(request));
  const call: ModelCall = {
    observer,
    dialect,
    span,
    context: inside,
    content,
    parameters: attributes,
    hasHistory,
    run,
    startedAt: performance.now(),
    found: {},
    session: undefined,
    fold: undefined,
    retries: 0,
    parsing: false,
    observed: false,
    ended: false,
    release: undefined,
  };
  placeSoon(call);
  return call;
}
