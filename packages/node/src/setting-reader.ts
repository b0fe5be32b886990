import type { ContentCapture, ContentField } from "@thoughtflow/tracing/internal";
import { CONTENT_FIELDS } from "@thoughtflow/tracing/internal";
import type { OptionProblem } from "./invalid-options-error.ts";

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads settings one by one: what was passed, else what the environment says, else nothing. Problems and notices
 * are collected, so that a user sees all of them at once.
 */
export interface SettingReader {
  readonly problems: OptionProblem[];
  readonly notices: string[];
  /** A variable's text; undefined when unset or blank, as OpenTelemetry specifies. */
  variable(name: string): string | undefined;
  string(option: string, passed: unknown, variable: string): string | undefined;
  boolean(option: string, passed: unknown, variable: string): boolean | undefined;
  /** All, none, or a list of kinds of content; in a variable they stand between commas. */
  content(option: string, passed: unknown, variable: string): ContentCapture | undefined;
  /** A number of bytes above 0, `Infinity` among them. */
  bytes(option: string, passed: unknown, variable: string): number | undefined;
  choice<T extends string>(
    option: string,
    passed: unknown,
    variable: string,
    choices: readonly T[],
  ): T | undefined;
  /** A whole number of at least `minimum`; anything else is a notice and `fallback`, as OpenTelemetry specifies. */
  count(variable: string, minimum: number, fallback: number): number;
}

/** A reader of one environment. */
export function createSettingReader(environment: Environment): SettingReader {
  const problems: OptionProblem[] = [];
  const notices: string[] = [];

  function variable(name: string): string | undefined {
    const text = environment[name]?.trim();
    return text === "" ? undefined : text;
  }

  function read<T>(
    option: string,
    passed: unknown,
    name: string,
    expected: string,
    parse: (value: unknown) => T | undefined,
  ): T | undefined {
    const [source, value] = passed === undefined ? [name, variable(name)] : [option, passed];
    if (value === undefined) return undefined;
    const parsed = parse(value);
    if (parsed === undefined) problems.push({ name: source, value, expected });
    return parsed;
  }

  return {
    problems,
    notices,
    variable,
    string: (option, passed, name) =>
      read(option, passed, name, "a text that is not empty", (value) =>
        typeof value === "string" && value !== "" && !value.includes("\0") ? value : undefined,
      ),
    boolean: (option, passed, name) => read(option, passed, name, "true or false", booleanFrom),
    content: (option, passed, name) =>
      read(
        option,
        passed,
        name,
        `true, false, or a list of ${CONTENT_FIELDS.join(", ")}`,
        contentFrom,
      ),
    bytes: (option, passed, name) =>
      read(option, passed, name, "a number of bytes above 0, or Infinity", (value) =>
        Number(value) > 0 ? Number(value) : undefined,
      ),
    choice: (option, passed, name, choices) =>
      read(option, passed, name, `one of ${choices.join(", ")}`, (value) =>
        choices.find((choice) => choice === String(value).toLowerCase()),
      ),
    count(name, minimum, fallback) {
      const text = variable(name);
      if (text === undefined) return fallback;
      const number = Number(text);
      if (Number.isInteger(number) && number >= minimum) return number;
      notices.push(`${name} is "${text}", expected a whole number; ${fallback} is used`);
      return fallback;
    },
  };
}

function booleanFrom(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  switch (String(value).toLowerCase()) {
    case "true":
    case "1":
    case "yes":
    case "on":
      return true;
    case "false":
    case "0":
    case "no":
    case "off":
      return false;
    default:
      return undefined;
  }
}

function contentFrom(value: unknown): ContentCapture | undefined {
  const isAll = Array.isArray(value) ? undefined : booleanFrom(value);
  if (isAll !== undefined) return isAll;
  const words: readonly unknown[] = Array.isArray(value) ? value : String(value).split(",");
  const fields = words.map((word) => CONTENT_FIELDS.find((field) => field === String(word).trim()));
  return fields.every((field): field is ContentField => field !== undefined) ? fields : undefined;
}
