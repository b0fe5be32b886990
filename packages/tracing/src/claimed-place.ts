import type { Attributes, Context } from "@opentelemetry/api";
import { context, trace } from "@opentelemetry/api";
import { ATTR_SESSION_ID } from "@thoughtflow/semconv";
import type { KnownDependencies } from "./dependencies.ts";
import { sessionOf } from "./flow-context.ts";
import type { ToolClaim } from "./tool-requests.ts";

/** Outside of any span, a tool runs in the run of the call that asked for it. */
export function placeOf(claim: ToolClaim | undefined): Context {
  const active = context.active();
  const asking = claim?.request.context;
  return asking === undefined || trace.getSpan(active) !== undefined ? active : asking;
}

/** What the execution of a request rests on. */
export function knownFrom({ request, isInferred }: ToolClaim): KnownDependencies {
  const { call, execution } = request;
  return {
    origin: isInferred ? "inferred" : "observed",
    sessionId: call.sessionId,
    on: [
      { on: call, type: "requests" },
      ...(execution === undefined ? [] : [{ on: execution, type: "retry_of" }]),
    ],
  };
}

/** Where the program declared no session, a tool is of the session of the call that asked, in the same trace. */
export function sessionAttributes(claim: ToolClaim | undefined, outside: Context): Attributes {
  const { sessionId, spanContext } = claim?.request.call ?? {};
  if (sessionId === undefined || sessionOf(outside) !== undefined) return {};
  const isSameTrace = trace.getSpanContext(outside)?.traceId === spanContext?.traceId;
  return isSameTrace ? { [ATTR_SESSION_ID]: sessionId } : {};
}
