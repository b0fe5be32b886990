/**
 * A value as short text in the manner of JSON, at most about `limit` characters, whatever its size: it stops
 * writing when the budget is spent. Strings at the top stand bare. Cycles end at the depth limit.
 */
export function previewValue(value: unknown, limit: number): string {
  if (typeof value === "string") return value;
  return preview(value, { left: limit }, 6);
}

interface Budget {
  left: number;
}

function preview(value: unknown, budget: Budget, depth: number): string {
  if (budget.left <= 0) return "…";
  if (typeof value === "string") {
    const cut = value.length > budget.left ? `${value.slice(0, budget.left)}…` : value;
    return spend(JSON.stringify(cut), budget);
  }
  if (typeof value !== "object" || value === null) return spend(String(value), budget);
  if (depth === 0) return spend("…", budget);
  budget.left -= 2;
  if (Array.isArray(value)) {
    const items = previewAll(value, budget, (item) => preview(item, budget, depth - 1));
    return `[${items}]`;
  }
  const record = value as Readonly<Record<string, unknown>>;
  const members = previewAll(
    Object.keys(record),
    budget,
    (key) => `${spend(snipKey(key), budget)}: ${preview(record[key], budget, depth - 1)}`,
  );
  return members === "" ? "{}" : `{ ${members} }`;
}

/** What of a list the budget is enough for. */
function previewAll<Item>(
  items: readonly Item[],
  budget: Budget,
  write: (item: Item) => string,
): string {
  let text = "";
  for (const item of items) {
    if (text !== "") text += ", ";
    if (budget.left <= 0) return `${text}…`;
    text += write(item);
  }
  return text;
}

function snipKey(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60)}…` : key;
}

function spend(text: string, budget: Budget): string {
  budget.left -= text.length;
  return text;
}
