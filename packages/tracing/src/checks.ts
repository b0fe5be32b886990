/** What an option may be. All options may be left out. */
export type OptionKind =
  | "string"
  | "id"
  | "number"
  | "confidence"
  | "boolean"
  | "strings"
  | "object"
  | "plain"
  | "dependency"
  | "dependencies";

const DESCRIPTIONS: Readonly<Record<OptionKind, string>> = {
  string: "a string",
  id: "a string that is not empty",
  number: "a number",
  confidence: "a number or a word",
  boolean: "true or false",
  strings: "a list of strings",
  object: "an object",
  plain: "a plain object",
  dependency: "a step handle or a step id",
  dependencies: "a step handle, a step id, { on, type }, or a list of these",
};

const ACCEPTS: Readonly<Record<OptionKind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  id: (value) => typeof value === "string" && value !== "",
  number: (value) => typeof value === "number" && !Number.isNaN(value),
  confidence: (value) => ACCEPTS.number(value) || ACCEPTS.id(value),
  boolean: (value) => typeof value === "boolean",
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  plain: isPlain,
  dependency: isTarget,
  dependencies: (value) => (Array.isArray(value) ? value.every(isDependency) : isDependency(value)),
};

/** What each option of a function must be. */
export interface OptionKinds {
  readonly [option: string]: OptionKind;
}

/**
 * The check of a function's options. A wrong one is a mistake in the program, traced or not: one TypeError that
 * names the function, the option and the value.
 */
export function optionCheck(
  where: string,
  kinds: OptionKinds,
  required: readonly string[] = [],
): (options: object) => void {
  const checks = Object.entries(kinds).map(([option, kind]) => ({
    option,
    accepts: ACCEPTS[kind],
    wanted: DESCRIPTIONS[kind],
    isRequired: required.includes(option),
  }));
  return (options) => {
    if (typeof options !== "object" || options === null) {
      throw new TypeError(`${where}: the options must be an object, got ${shown(options)}`);
    }
    for (const { option, accepts, wanted, isRequired } of checks) {
      const value = (options as Readonly<Record<string, unknown>>)[option];
      if (value === undefined && !isRequired) continue;
      if (!accepts(value)) throw wrongOption(where, option, wanted, value);
    }
  };
}

/** The same for one argument that is no option. */
export function checkArgument(
  where: string,
  argument: string,
  kind: OptionKind,
  value: unknown,
): void {
  if (!ACCEPTS[kind](value)) throw wrongOption(where, argument, DESCRIPTIONS[kind], value);
}

/** The last argument of all functions that wrap the program's own. */
export function checkFunction(where: string, fn: unknown): void {
  if (typeof fn !== "function") throw wrongOption(where, "fn", "a function", fn);
}

function wrongOption(where: string, option: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`${where}: "${option}" must be ${wanted}, got ${shown(value)}`);
}

function isDependency(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("on" in value)) return isTarget(value);
  return "type" in value && ACCEPTS.id(value.type) && isTarget(value.on);
}

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Of any realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isTarget(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return ACCEPTS.id(value);
  return "id" in value && typeof value.id === "string";
}

const SHOWN_CHARACTERS = 80;

function shown(value: unknown): string {
  try {
    const text = typeof value === "function" ? "a function" : (JSON.stringify(value) ?? `${value}`);
    return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  } catch {
    return `a value of type ${typeof value}`;
  }
}
