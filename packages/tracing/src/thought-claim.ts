import type { Context } from "@opentelemetry/api";
import { createContextKey } from "@opentelemetry/api";
import type { ToolClaim } from "./tool-requests.ts";

const CLAIM = createContextKey("thoughtflow.thought-claim.v1");

/** A context in which a recorded thought is the one that a model gave by this tool call, whose id nobody else tells it. */
export function setThoughtClaim(context: Context, claim: ToolClaim): Context {
  return context.setValue(CLAIM, claim);
}

/** The tool call that is being answered by recording a thought. */
export function thoughtClaimOf(context: Context): ToolClaim | undefined {
  return context.getValue(CLAIM) as ToolClaim | undefined;
}
