import { propertiesOf, textOf } from "./unknown-values.ts";

/** Why a call failed, as a provider says it in a body. */
export interface Failure {
  /** Low-cardinality. */
  readonly type: string;
  readonly message?: string;
}

/** The failure that a body with an `error` tells of, whatever its HTTP status was. */
export function failureInBody(response: unknown): Failure | undefined {
  const { error } = propertiesOf(response);
  return error ? failureFrom(error) : undefined;
}

/** Kind and text of an error object as OpenAI-compatible servers send it. */
export function failureFrom(value: unknown): Failure {
  if (typeof value === "string") return { type: "_OTHER", message: value };
  const error = propertiesOf(value);
  const message = textOf(error["message"]);
  const code = error["code"];
  const type =
    textOf(code) ?? textOf(error["type"]) ?? (typeof code === "number" ? `${code}` : "_OTHER");
  return message === undefined ? { type } : { type, message };
}
