import type { Context } from "@opentelemetry/api";
import { createContextKey } from "@opentelemetry/api";
import type { ToolClaim } from "./tool-requests.ts";

const CLAIM = createContextKey("thoughtflow.thought-claim.v1");
const HEARD = createContextKey("thoughtflow.thought-heard.v1");

/** A context in which a recorded thought is the one that a model gave by this tool call, whose id nobody else tells it. */
export function setThoughtClaim(context: Context, claim: ToolClaim): Context {
  return context.setValue(CLAIM, claim);
}

/** The tool call that is being answered by recording a thought. */
export function thoughtClaimOf(context: Context): ToolClaim | undefined {
  return context.getValue(CLAIM) as ToolClaim | undefined;
}

/** A context that tells of the thoughts recorded in it. */
export function hearThoughts(context: Context, heard: () => void): Context {
  return context.setValue(HEARD, heard);
}

/** Tells whoever listens in this context that a thought was recorded. */
export function tellOfThought(context: Context): void {
  (context.getValue(HEARD) as (() => void) | undefined)?.();
}
