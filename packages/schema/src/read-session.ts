import { Run, Session, Step } from "./document.ts";
import type { Problem } from "./problem.ts";
import { problemFromIssue } from "./problem-from-issue.ts";
import { SCHEMA_VERSION } from "./schema-version.ts";
import { createPositionFinder, syntaxErrorPosition } from "./source-position.ts";
import { upgradeFromV0 } from "./upgrade.ts";
import { SessionV0 } from "./versions/v0.ts";

/** What reading gives: the session in the current shape, or all that is wrong with the file. */
export type ReadResult =
  | {
      readonly ok: true;
      readonly session: Session;
      /** The version that the file names; `"0"` for files of the original, which name none. */
      readonly version: string;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Reads a ThoughtFlow file: its text, or the value that its JSON stands for. Files of earlier versions come
 * upgraded. What the schema doesn't know is kept, also from a later minor version; a later major version is a
 * problem. Never throws.
 */
export function readSession(source: unknown): ReadResult {
  if (typeof source !== "string") return checkValue(source);
  const parsed = parseJson(source);
  if ("problem" in parsed) return { ok: false, problems: [parsed.problem] };
  const result = checkValue(parsed.value);
  if (result.ok) return result;
  const positionOf = createPositionFinder(source);
  const problems = result.problems.map((problem) => ({ ...problem, ...positionOf(problem.path) }));
  return { ok: false, problems };
}

function parseJson(text: string): { readonly value: unknown } | { readonly problem: Problem } {
  if (!/[^\s\uFEFF]/.test(text))
    return { problem: { code: "syntax", path: [], message: "is empty", expected: "JSON" } };
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, "")) };
  } catch (error) {
    const problem: Problem = {
      code: "syntax",
      path: [],
      message: reasonOf(error as Error),
      expected: "JSON",
    };
    return { problem: { ...problem, ...syntaxErrorPosition(text, error as Error) } };
  }
}

/** The engine's reason without its quotation of the text and its position. */
function reasonOf(error: Error): string {
  return error.message
    .replace(/, (\.\.\.)?"[\s\S]* is not valid JSON$/, "")
    .replace(/( in JSON)? at position [\s\S]*$/, "");
}

function checkValue(value: unknown): ReadResult {
  const foreign = foreignProblem(value);
  if (foreign !== undefined) return { ok: false, problems: [foreign] };
  const version = (value as { schema_version?: unknown }).schema_version;
  if (version === undefined) {
    const problems = problemsOf(SessionV0, value);
    if (problems.length > 0) return { ok: false, problems };
    return { ok: true, session: upgradeFromV0(value as SessionV0), version: "0" };
  }
  const problems = versionProblem(version) ?? sessionProblems(value as object);
  if (problems.length > 0) return { ok: false, problems };
  // The value itself, not zod's copy: that leaves out own keys named `__proto__`.
  return { ok: true, session: value as Session, version: String(version) };
}

function foreignProblem(value: unknown): Problem | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isObject && ("session_id" in value || "conversations" in value)) return undefined;
  const keys = isObject ? Object.keys(value).slice(0, 5).join(", ") : "";
  return {
    code: "foreign",
    path: [],
    message: `is no ThoughtFlow file${keys && `; it holds ${keys}`}`,
    expected: "an object with session_id and conversations",
  };
}

function versionProblem(version: unknown): Problem[] | undefined {
  const path = ["schema_version"];
  const major = typeof version === "string" ? /^(\d+)\.\d+$/.exec(version)?.[1] : undefined;
  if (major === undefined) {
    const message = `is ${JSON.stringify(version)}`;
    return [{ code: "wrong_value", path, message, expected: 'a version such as "1.0"' }];
  }
  if (Number(major) <= Number.parseInt(SCHEMA_VERSION, 10)) return undefined;
  const message = `is ${version}, newer than this reader, which knows ${SCHEMA_VERSION}`;
  return [{ code: "newer_version", path, message, expected: `at most ${SCHEMA_VERSION}` }];
}

/** Run by run and step by step: zod copies what it checks, and a session may be longer than memory has room for. */
function sessionProblems(value: { readonly conversations?: unknown }): Problem[] {
  return withMembers(value, "conversations", Session, (run) =>
    withMembers(run, "steps", Run, (step) => problemsOf(Step, step)),
  );
}

/** What is wrong with an object, and with each item of the list that it holds. */
function withMembers(
  value: unknown,
  key: string,
  schema: typeof Session | typeof Run,
  problemsOfItem: (item: unknown) => Problem[],
): Problem[] {
  const list = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  if (!Array.isArray(list)) return problemsOf(schema, value);
  return [
    ...problemsOf(schema, { ...(value as object), [key]: [] }),
    ...list.flatMap((item, at) =>
      problemsOfItem(item).map((problem) => ({ ...problem, path: [key, at, ...problem.path] })),
    ),
  ];
}

function problemsOf(
  schema: typeof Session | typeof SessionV0 | typeof Run | typeof Step,
  value: unknown,
): Problem[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.map((issue) => problemFromIssue(issue, value));
}
