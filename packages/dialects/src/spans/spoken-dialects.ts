import type { SpanRecord } from "@thoughtflow/schema";
import type { SpanDialect } from "./span-dialect.ts";
import { SPAN_DIALECTS } from "./span-dialects.ts";

interface Sign {
  readonly text: string;
  readonly dialect: SpanDialect;
}

/** Signs by the first segment of the name, so that most names are settled by one look-up. */
const SIGNS = new Map<string, Sign[]>();
for (const dialect of SPAN_DIALECTS) {
  for (const text of dialect.signs) {
    const known = SIGNS.get(segmentOf(text));
    if (known === undefined) SIGNS.set(segmentOf(text), [{ text, dialect }]);
    else known.push({ text, dialect });
  }
}

const WITH_SCOPES = SPAN_DIALECTS.filter(({ scopes }) => scopes !== undefined);

/** The dialects that a span speaks, in the order of the list; mostly none, often one. */
export function spokenDialects({ attributes, scope }: SpanRecord): readonly SpanDialect[] {
  const spoken = new Set<SpanDialect>();
  for (const name of Object.keys(attributes)) {
    for (const { text, dialect } of SIGNS.get(segmentOf(name)) ?? [])
      if (isSign(text, name)) spoken.add(dialect);
  }
  for (const dialect of WITH_SCOPES)
    if (dialect.scopes?.some((one) => isScope(one, scope.name))) spoken.add(dialect);
  return spoken.size < 2 ? [...spoken] : SPAN_DIALECTS.filter((dialect) => spoken.has(dialect));
}

/** Whether an attribute of this name speaks of an agent's work in some dialect. */
export function isAgentAttribute(name: string): boolean {
  return (SIGNS.get(segmentOf(name)) ?? []).some(({ text }) => isSign(text, name));
}

function isSign(sign: string, name: string): boolean {
  return sign.endsWith(".") ? name.startsWith(sign) : name === sign;
}

function isScope(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function segmentOf(name: string): string {
  const end = name.indexOf(".");
  return end === -1 ? name : name.slice(0, end);
}
