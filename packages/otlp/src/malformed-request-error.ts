/** A body that is no OTLP request: nothing of it can be taken. The message says where it breaks. */
export class MalformedRequestError extends Error {
  override readonly name = "MalformedRequestError";
}
