/**
 * The parameters as they are now: a shallow copy with the list of messages copied too, because applications
 * go on appending to it. What happens inside a message afterwards is seen.
 */
export function copyRequest(parameters: unknown): unknown {
  if (typeof parameters !== "object" || parameters === null) return parameters;
  const copy: Record<string, unknown> = { ...parameters };
  for (const list of ["messages", "input"]) {
    const items = copy[list];
    if (Array.isArray(items)) copy[list] = items.slice();
  }
  return copy;
}
