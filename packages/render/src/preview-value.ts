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
  const isList = Array.isArray(value);
  const pieces: string[] = [];
  budget.left -= 2;
  for (const [key, item] of Object.entries(value)) {
    if (budget.left <= 0) {
      pieces.push("…");
      break;
    }
    const name = isList ? "" : `${spend(snipKey(key), budget)}: `;
    pieces.push(name + preview(item, budget, depth - 1));
  }
  const inside = pieces.join(", ");
  if (isList) return `[${inside}]`;
  return inside === "" ? "{}" : `{ ${inside} }`;
}

function snipKey(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60)}…` : key;
}

function spend(text: string, budget: Budget): string {
  budget.left -= text.length;
  return text;
}
