/** What the model answers the app, with what is planted in it; in the order of the app's calls. */
export function answers(): readonly (readonly [
  path: string,
  body: unknown,
  options?: { readonly status?: number },
])[];
