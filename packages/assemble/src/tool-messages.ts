import { fromExactJson } from "@thoughtflow/schema/exact-json";
import { toolRequestIn, toolResponseIn } from "@thoughtflow/semconv";
import type { Atom } from "@thoughtflow/workflow";
import { argumentsPayload } from "./arguments-payload.ts";
import { membersOf, mergedPayload, type Payload } from "./payload.ts";
import type { StepDraft } from "./step-draft.ts";

/** What a message says of a tool that a model asks for. */
export interface ToolRequest {
  readonly name: string;
  readonly args: unknown;
  readonly callId: string | undefined;
}

/** What a model asks for; nothing of an atom that is no tool call. */
export function requestOf({ parts: [part] }: Atom): ToolRequest {
  const request = part && toolRequestIn(part);
  return { name: request?.name ?? "", args: request?.arguments, callId: request?.id };
}

/** Whether a call is of the tool and with the arguments that a message asks for, whatever ids both have. */
export function isOfRequest({ payloadStarted }: StepDraft, { name, args }: ToolRequest): boolean {
  const members = membersOf(payloadStarted);
  return (
    members?.["name"] === name &&
    JSON.stringify(members["args"] ?? members["args_text"]) === JSON.stringify(args)
  );
}

function requestMembers(atom: Atom): Record<string, unknown> {
  const { name, args, callId } = requestOf(atom);
  return { name, ...argumentsPayload(args), ...(callId && { call_id: callId }) };
}

/** The payload of a tool call that only messages tell of. */
export function requestPayload(atom: Atom): Payload {
  return () => requestMembers(atom);
}

/** What a tool's span tells, and before it the arguments that a model gave: read only where the span has none of that form. */
export function withRequested(
  atom: Atom,
  { args }: ToolRequest,
  told: Payload | undefined,
): Payload {
  const isTold = typeof told === "object" && told["args"] !== undefined;
  if (isTold && "args" in argumentsPayload(args)) return { args: told["args"], ...told };
  return mergedPayload(() => argumentsPayload(requestOf(atom).args), told);
}

/** The payload of a tool's output; without texts the parts that the message had. */
export function responsePayload(atom: Atom, withText: boolean): Payload {
  return () => (withText ? { result: responseIn(atom) } : { parts: atom.parts });
}

/** What a model is told that a tool gave. */
export function responseIn({ parts: [part] }: Atom): unknown {
  return structured((part && toolResponseIn(part))?.response);
}

/** A tool's text that is a JSON object or list, as that; anything else as it came. */
function structured(response: unknown): unknown {
  if (typeof response !== "string" || !/^\s*[[{]/.test(response)) return response;
  try {
    return fromExactJson(response);
  } catch {
    return response;
  }
}
