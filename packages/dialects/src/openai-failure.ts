import { propertiesOf, textOf } from "./unknown-values.ts";

/** Low-cardinality kind and text of an error object as OpenAI-compatible servers send it. */
export function failureFrom(value: unknown): { readonly type: string; readonly message?: string } {
  if (typeof value === "string") return { type: "_OTHER", message: value };
  const error = propertiesOf(value);
  const message = textOf(error["message"]);
  const code = error["code"];
  const type =
    textOf(code) ?? textOf(error["type"]) ?? (typeof code === "number" ? `${code}` : "_OTHER");
  return message === undefined ? { type } : { type, message };
}
