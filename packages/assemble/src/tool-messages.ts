import { toolRequestIn, toolResponseIn } from "@thoughtflow/semconv";
import type { Atom } from "@thoughtflow/workflow";
import { argumentsPayload } from "./arguments-payload.ts";
import { membersOf, type Payload } from "./payload.ts";
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

/** The arguments that a model gave, beside those that the tool's span tells. */
export function requestedArguments(atom: Atom): Payload {
  return () => argumentsPayload(requestOf(atom).args);
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
    return JSON.parse(response);
  } catch {
    return response;
  }
}
