import { type Confidence, confidenceValue } from "@thoughtflow/schema/steps";
import { DEFAULT_THOUGHT_TYPE } from "../thought-type.ts";
import { LONGEST_ID, type ThinkAloudField, thinkAloudParameters } from "./think-aloud-fields.ts";

/** A thought as a model gave it to the tool, with everything in its place. */
export interface AloudThought {
  readonly thought: string;
  readonly type: string;
  readonly id?: string;
  readonly relatedTo?: string;
  readonly confidence?: Confidence;
  readonly verbosity?: string;
  readonly alternatives?: readonly string[];
  /** What the model gave besides, as it gave it. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What was read, and what the model should do otherwise next time: one sentence for each field. */
export interface ReadAloud {
  readonly thought: AloudThought;
  readonly problems: readonly string[];
}

const FIELDS: ReadonlySet<string> = new Set(Object.keys(thinkAloudParameters.properties));

/** A thought is never lost for its form: what can't be understood is kept as text. */
const SHOWN_CHARACTERS = 60;

/**
 * Reads the arguments of a `think_aloud` call: an object, or its JSON as text. Wrong types are read as what they most likely
 * mean, and told. Never throws.
 *
 * @param allowedTypes the types that the tool was offered with; others are kept, and told
 */
export function readThinkAloud(
  args: unknown,
  allowedTypes: readonly string[] | undefined = undefined,
): ReadAloud {
  const problems: string[] = [];
  const given = argumentsOf(args, problems);
  const tell = (field: string, wanted: string, value: unknown): void => {
    problems.push(`${field} must be ${wanted}, but was ${shown(value)}.`);
  };
  const text = (field: ThinkAloudField, wanted: string): string | undefined => {
    const value = given[field] ?? undefined;
    if (value === undefined) return undefined;
    const isText = typeof value === "string" && value.trim() !== "";
    if (!isText) tell(field, wanted, value);
    if (typeof value === "string") return isText ? value : undefined;
    return wordsOf(value);
  };
  const data = Object.fromEntries(Object.entries(given).filter(([field]) => !FIELDS.has(field)));
  const thought = text("thought", "a text that is not empty") ?? "";
  if (given["thought"] === undefined || given["thought"] === null)
    problems.push("thought is missing: say what you think.");
  const type = text("thought_type", `one of ${(allowedTypes ?? []).join(", ")}`);
  if (type !== undefined && allowedTypes !== undefined && !allowedTypes.includes(type))
    tell("thought_type", `one of ${allowedTypes.join(", ")}`, type);
  const id = idOf(text("thought_id", "a short name that is not empty"), tell);
  const relatedTo = text(
    "related_to",
    "the thought_id of an earlier thought or the id of a tool call",
  );
  const confidence = confidenceOf(given["confidence"] ?? undefined, tell);
  const verbosity = text("verbosity", "brief, normal or detailed");
  const alternatives = alternativesOf(given["alternatives"] ?? undefined, tell);
  return {
    thought: {
      thought,
      type: type ?? DEFAULT_THOUGHT_TYPE,
      ...(id !== undefined && { id }),
      ...(relatedTo !== undefined && { relatedTo }),
      ...(confidence !== undefined && { confidence }),
      ...(verbosity !== undefined && { verbosity }),
      ...(alternatives !== undefined && { alternatives }),
      ...(Object.keys(data).length > 0 && { data }),
    },
    problems,
  };
}

type Tell = (field: string, wanted: string, value: unknown) => void;

function argumentsOf(args: unknown, problems: string[]): Readonly<Record<string, unknown>> {
  let value = args;
  if (typeof args === "string") {
    try {
      value = JSON.parse(args);
    } catch {
      const fields = Object.keys(thinkAloudParameters.properties).join(", ");
      problems.push(`The arguments were no JSON: give an object with ${fields}.`);
      return { thought: args };
    }
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  problems.push(`The arguments must be an object, but were ${shown(value)}.`);
  return value === undefined || value === null ? {} : { thought: wordsOf(value) };
}

function idOf(id: string | undefined, tell: Tell): string | undefined {
  if (id === undefined || id.length <= LONGEST_ID) return id;
  tell("thought_id", `at most ${LONGEST_ID} characters long`, id);
  return undefined;
}

function confidenceOf(value: unknown, tell: Tell): Confidence | undefined {
  if (value === undefined || confidenceValue(value) !== undefined) return value as Confidence;
  tell("confidence", "a number from 0 to 1", value);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return confidenceValue(number) === undefined ? undefined : number;
}

function alternativesOf(value: unknown, tell: Tell): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  tell("alternatives", "a list of texts", value);
  return (Array.isArray(value) ? value : [value]).map(wordsOf);
}

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : (json(value) ?? "");
}

function shown(value: unknown): string {
  const text = json(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
