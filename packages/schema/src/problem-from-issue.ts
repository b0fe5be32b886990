import type { z } from "zod";
import type { Problem } from "./problem.ts";

/** What zod found, in the words of a reader of the file. `root` is the value that was checked. */
export function problemFromIssue(issue: z.core.$ZodIssue, root: unknown): Problem {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  const found = valueAt(root, path);
  const expected = expectedBy(issue);
  if (found === undefined) return { code: "missing", path, message: "is missing", expected };
  const sameKind = issue.code !== "invalid_type" && issue.code !== "invalid_union";
  return {
    code: sameKind ? "wrong_value" : "wrong_type",
    path,
    message: `is ${sameKind ? shown(found) : kindOf(found)}`,
    expected,
  };
}

const ARTICLE: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  array: "a list",
  object: "an object",
  record: "an object",
  boolean: "true or false",
};

function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return ARTICLE[issue.expected] ?? issue.expected;
    case "invalid_value":
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "a string that is not empty" : `at least ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    case "invalid_union":
      return [...new Set(issue.errors.flat().map(expectedBy))].join(" or ");
    default:
      return issue.message;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return ARTICLE[Array.isArray(value) ? "array" : typeof value] ?? typeof value;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function valueAt(root: unknown, path: Problem["path"]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return value;
}
