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

/** Names come again and again; whoever makes up ever new ones fills no memory. */
const MOST_NAMES = 2_000;
const LONGEST_NAME = 100;

const byName = new Map<string, readonly SpanDialect[]>();
const byScope = new Map<string, readonly SpanDialect[]>();

/** The dialects that a span speaks, in the order of the list; mostly none, often one. */
export function spokenDialects({ attributes, scope }: SpanRecord): readonly SpanDialect[] {
  const spoken = new Set(dialectsOfScope(scope.name));
  for (const name of Object.keys(attributes))
    for (const dialect of remembered(byName, name, dialectsOfName)) spoken.add(dialect);
  return spoken.size < 2 ? [...spoken] : SPAN_DIALECTS.filter((dialect) => spoken.has(dialect));
}

function remembered(
  known: Map<string, readonly SpanDialect[]>,
  name: string,
  find: (name: string) => readonly SpanDialect[],
): readonly SpanDialect[] {
  let dialects = known.get(name);
  if (dialects === undefined) {
    dialects = find(name);
    if (known.size < MOST_NAMES && name.length <= LONGEST_NAME) known.set(name, dialects);
  }
  return dialects;
}

/** The dialects of which an attribute of that name is a sign. */
export function dialectsOfName(name: string): readonly SpanDialect[] {
  const signs = SIGNS.get(segmentOf(name)) ?? [];
  return signs.filter(({ text }) => isSign(text, name)).map(({ dialect }) => dialect);
}

/** The dialects that spans of an instrumentation scope of that name speak. */
export function dialectsOfScope(name: string): readonly SpanDialect[] {
  return remembered(byScope, name, withScope);
}

function withScope(name: string): readonly SpanDialect[] {
  return WITH_SCOPES.filter(({ scopes }) => scopes?.some((one) => isScope(one, name)));
}

/** Whether an attribute of this name speaks of an agent's work in some dialect. */
export function isAgentAttribute(name: string): boolean {
  return dialectsOfName(name).length > 0;
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
