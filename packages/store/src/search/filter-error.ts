import { StoreError } from "../store-error.ts";

/** A filter that can't be understood; the message names the term. */
export class FilterError extends StoreError {
  override readonly name = "FilterError";
}
