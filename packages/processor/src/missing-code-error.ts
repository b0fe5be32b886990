/** What makes documents can't be loaded where this process ends: it is in no bundle, and in no `node_modules` there. */
export class MissingCodeError extends Error {
  override readonly name = "MissingCodeError";

  constructor(cause: unknown) {
    super(
      "no document could be made at the end of the process: what makes them is not beside the bundled app. " +
        "Keep @thoughtflow/* outside of the bundle, or wait for shutdown() before the end. " +
        "The journal has all; `thoughtflow recover` makes the documents of it",
      { cause },
    );
  }
}
