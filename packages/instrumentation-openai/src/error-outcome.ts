import { ATTR_ERROR_TYPE, ATTR_HTTP_RESPONSE_STATUS_CODE } from "@thoughtflow/semconv";

/** How a failed call is told: attributes, and the status message. */
export interface ErrorDescription {
  readonly attributes: Record<string, string | number>;
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
  const attributes: Record<string, string | number> = {
    [ATTR_ERROR_TYPE]:
      text(code) ?? known ?? text(type) ?? (typeof status === "number" ? `${status}` : "_OTHER"),
  };
  if (typeof status === "number") attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] = status;
  return { attributes, message: typeof message === "string" ? message : String(error) };
}

interface ErrorShape {
  readonly name?: string;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
  readonly constructor?: { readonly name?: string };
}

function toShape(error: unknown): ErrorShape {
  return typeof error === "object" && error !== null ? (error as ErrorShape) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
