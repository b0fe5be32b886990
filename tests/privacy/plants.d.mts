/** Every place, and how far text from there comes: into the document, into its records and spans only, or nowhere. */
export const PLACES: Readonly<Record<string, "document" | "records" | "nowhere">>;

/** The text to plant, and what to look for. */
export function plant(
  place: string,
  kind?: "keys" | "words",
): { readonly text: string; readonly needle: string };

/** The places of these kinds of content. */
export declare const placesOf: (fields: readonly string[]) => readonly string[];
