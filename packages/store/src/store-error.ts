/** What went wrong with a store, in words for whoever asked; the message names the thing and the value. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}
