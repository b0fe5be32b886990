import { propertiesOf, textOf } from "./unknown-values.ts";

/** Why a call failed, as a provider says it in a body. */
export interface Failure {
  /** Low-cardinality. */
  readonly type: string;
  readonly message?: string;
}

/** The failure that a body with an `error`, or one that is an error itself, tells of, whatever its HTTP status was. */
export function failureInBody(response: unknown): Failure | undefined {
  const { error, object } = propertiesOf(response);
  return failureFrom(error) ?? (object === "error" ? failureFrom(response) : undefined);
}

/** Kind and text of an error as OpenAI-compatible servers send it; none where it is absent, or an object that says nothing. */
export function failureFrom(value: unknown): Failure | undefined {
  if (!value || (typeof value === "object" && Object.keys(value).length === 0)) return undefined;
  if (typeof value === "string") return { type: "_OTHER", message: value };
  const error = propertiesOf(value);
  const message = textOf(error["message"]);
  const code = error["code"];
  const type =
    textOf(code) ?? textOf(error["type"]) ?? (typeof code === "number" ? `${code}` : "_OTHER");
  return message === undefined ? { type } : { type, message };
}
