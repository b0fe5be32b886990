import type { Attributes } from "@opentelemetry/api";
import {
  ATTR_ERROR_TYPE,
  ATTR_OPENAI_ERROR_CODE,
  ATTR_OPENAI_ERROR_PARAM,
  ATTR_OPENAI_ERROR_TYPE,
  ATTR_THOUGHTFLOW_ERROR_CLASS,
} from "@thoughtflow/semconv";
import type { ResponseHeaders } from "./response-head.ts";
import { headAttributes } from "./response-head.ts";

/** How a failed call is told: attributes, and the status message. */
export interface ErrorDescription {
  readonly attributes: Attributes;
  readonly message: string;
}

/** True when the caller wanted the call to stop: that is no error of the call. */
export function isUserAbort(error: unknown): boolean {
  const shape = toShape(error);
  return shape.constructor?.name === "APIUserAbortError" || shape.name === "AbortError";
}

/** The provider's code, else the error's class, else the HTTP status: whatever is there first and says something. */
export function describeError(error: unknown): ErrorDescription {
  const shape = toShape(error);
  const { code, type, status, message } = shape;
  const className = shape.constructor?.name ?? shape.name;
  const known = className === "Error" || className === "APIError" ? undefined : className;
  const attributes: Attributes = {
    [ATTR_ERROR_TYPE]:
      text(code) ?? known ?? text(type) ?? (typeof status === "number" ? `${status}` : "_OTHER"),
    ...headAttributes(status, shape.headers ?? undefined),
  };
  const told = [
    [ATTR_THOUGHTFLOW_ERROR_CLASS, className],
    [ATTR_OPENAI_ERROR_CODE, code],
    [ATTR_OPENAI_ERROR_PARAM, shape.param],
    [ATTR_OPENAI_ERROR_TYPE, type],
  ] as const;
  for (const [name, value] of told) if (text(value) !== undefined) attributes[name] = text(value);
  return { attributes, message: typeof message === "string" ? message : String(error) };
}

interface ErrorShape {
  readonly name?: string;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
  readonly param?: unknown;
  readonly headers?: ResponseHeaders | null;
  readonly constructor?: { readonly name?: string };
}

function toShape(error: unknown): ErrorShape {
  return typeof error === "object" && error !== null ? (error as ErrorShape) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
