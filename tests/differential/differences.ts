import { isDeepStrictEqual } from "node:util";
import type { Noticed, Performed, SpanReport, Subject, Target } from "./run-subject.ts";
import { runSubject } from "./run-subject.ts";

/** How an observed app compares with the same app bare. */
export interface Comparison {
  /** How many scenarios there were, without those this version of openai knows nothing of. */
  readonly scenarios: number;
  /** What was noticed, and in which scenario. Empty when nothing was. */
  readonly problems: readonly { readonly scenario: string; readonly what: string }[];
}

/**
 * Runs every scenario bare and with the subject, and compares all that the app and the server noticed.
 *
 * @param expectedWarnings codes of warnings that the subject is to give
 */
export async function compare(
  target: Target,
  subject: Subject,
  expectedWarnings: readonly string[] = [],
): Promise<Comparison> {
  const [bare, observed] = await Promise.all([runSubject(target), runSubject(target, subject)]);
  const problems = bare.flatMap((one, at) => {
    const other = observed[at];
    const found =
      other === undefined || one.name !== other.name
        ? ["was not run"]
        : [
            ...differencesIn(one, other, expectedWarnings),
            ...problemsOfSpans(other, expectedWarnings),
          ];
    return found.map((what) => ({ scenario: one.name, what }));
  });
  return { scenarios: bare.filter(({ absent }) => absent !== true).length, problems };
}

function differencesIn(
  bare: Performed,
  observed: Performed,
  expectedWarnings: readonly string[],
): string[] {
  return [...differences(bare.noticed, without(observed.noticed, expectedWarnings), "")];
}

function without(noticed: Noticed | undefined, expectedWarnings: readonly string[]): unknown {
  if (noticed === undefined) return undefined;
  const warnings = (noticed.warnings as readonly { readonly code?: string }[]).filter(
    ({ code = "" }) => !expectedWarnings.includes(code),
  );
  return { ...noticed, warnings };
}

/** Where two values differ, by path, with both values; both are plain JSON. */
function* differences(bare: unknown, observed: unknown, path: string): Generator<string> {
  if (isDeepStrictEqual(bare, observed)) return;
  if (!isObject(bare) || !isObject(observed) || Array.isArray(bare) !== Array.isArray(observed)) {
    yield `${path || "/"} was ${shown(bare)}, is ${shown(observed)}`;
    return;
  }
  for (const key of new Set([...Object.keys(bare), ...Object.keys(observed)])) {
    yield* differences(bare[key], observed[key], `${path}/${key}`);
  }
}

function problemsOfSpans(
  { spans, expected, unreadable }: Performed,
  expectedWarnings: readonly string[],
): string[] {
  if (spans === undefined) return [];
  // What is warned of is counted, too.
  const failures = spans.failures.filter(([place]) => !expectedWarnings.includes(place));
  return [
    ...spans.open.map((name) => `the span ${name} never ended`),
    ...(unreadable ? [] : failures.map(([place]) => `${place} failed`)),
    ...(fits(spans, expected)
      ? []
      : [`model calls are ${shown(spans.calls)}, expected ${shown(expected)}`]),
  ];
}

function fits({ calls }: SpanReport, expected: readonly string[] | number | undefined): boolean {
  if (typeof expected === "number") return calls.length === expected;
  return expected === undefined || isDeepStrictEqual(calls, expected);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
