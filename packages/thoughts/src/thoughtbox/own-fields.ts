/** What a thought's payload holds besides the fields of the file; a file may have fields of these names, too. */
export const OWN_FIELDS: ReadonlySet<string> = new Set([
  "thought_id",
  "thought_type",
  "thoughtbox",
]);
