/**
 * The canonical form of a session: equal sessions give equal bytes, whatever order their keys came in. Known
 * keys stand in the order of the schema, unknown ones sorted after them, two spaces, a line feed at the end.
 * What a program put into a payload keeps its own key order. Nothing here loads zod.
 */
import { type Level, RUN_LEVEL, SESSION_LEVEL, STEP_LEVEL } from "./canonical-order.ts";
import { compactJson, isDeeperThan, isWritten } from "./deep-json.ts";
import type { Run, Session, Step } from "./document.ts";
import { toIndentedJson, toJson } from "./plain-json.ts";

export { compactChunks, compactJson } from "./deep-json.ts";
export { SCHEMA_VERSION } from "./schema-version.ts";
export { stableJson } from "./stable-json.ts";

const PIECE_LENGTH = 64 * 1024;
/** A step whose payloads nest deeper stands on one line. */
const DEEPEST_INDENTED = 64;

/** The whole file as one string. */
export function canonicalJson(session: Session): string {
  return joined(canonicalChunks(session));
}

/** What is written in place of a payload or a state. */
export type ReplaceContent = (content: unknown) => unknown;

/**
 * The file in pieces of about 64 Ki characters, cut between steps, so that no session is ever one string in
 * memory. A piece is longer only where a single step is. Each payload is read once, when its step is written.
 */
export function canonicalChunks(
  session: Session,
  replace?: ReplaceContent,
): Generator<string, void, undefined> {
  return pieces(canonicalParts(session, replace));
}

/** The same in parts as they are made, most of them a step: for who writes them one behind the other into memory. */
export function* canonicalParts(
  session: Session,
  replace: ReplaceContent = (content) => content,
): Generator<string, void, undefined> {
  yield* parts(session, SESSION_LEVEL, "\n", replace);
  yield "\n";
}

/**
 * What stands in the file before its runs, and behind them: for a session whose runs are written while it is not known yet what
 * they come to. The session's own runs are left out.
 */
export function aroundRuns(session: Session): readonly [before: string, behind: string] {
  const [before, behind] = aroundList(session, SESSION_LEVEL, "conversations", "\n");
  return [before, `${behind}\n`];
}

/** The same of a run and its steps, as it stands in the file. */
export function aroundSteps(
  run: Run,
  replace: ReplaceContent = (content) => content,
): readonly [before: string, behind: string] {
  return aroundList(run, RUN_LEVEL, "steps", RUN_BREAK, replace);
}

/** A step as it stands in the file. */
export function canonicalStep(step: Step, replace: ReplaceContent = (content) => content): string {
  return orderedText(withContent(step, PAYLOADS, replace), STEP_LEVEL, STEP_BREAK);
}

/** Before each run of a file, and before each step. */
export const RUN_BREAK = "\n    ";
export const STEP_BREAK = "\n        ";

function aroundList(
  object: Members,
  level: Level,
  key: string,
  lineBreak: string,
  replace: ReplaceContent = (content) => content,
): readonly [before: string, behind: string] {
  const text = joined(parts({ ...object, [key]: [] }, level, lineBreak, replace));
  const name = `${lineBreak}  "${key}": `;
  const at = text.indexOf(`${name}[]`) + name.length;
  return [text.slice(0, at), text.slice(at + "[]".length)];
}

function joined(texts: Iterable<string>): string {
  return [...texts].join("");
}

function* pieces(of: Iterable<string>): Generator<string, void, undefined> {
  let piece = "";
  for (const part of of) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** The text of one value; `lineBreak` is a line feed with the indentation that the value stands at. */
function* parts(
  value: unknown,
  level: Level | undefined,
  lineBreak: string,
  replace: ReplaceContent,
): Generator<string> {
  if (!isObject(value) || level === undefined) {
    yield textOf(value, lineBreak);
  } else if (Array.isArray(value)) {
    yield* listParts(value, level, lineBreak, replace);
  } else if (level === SESSION_LEVEL) {
    yield* memberParts(value, level, lineBreak, replace);
  } else if (level === RUN_LEVEL) {
    yield* memberParts(withContent(value, STATES, replace), level, lineBreak, replace);
  } else {
    const members = level === STEP_LEVEL ? withContent(value, PAYLOADS, replace) : value;
    yield orderedText(members, level, lineBreak);
  }
}

function orderedText(members: Members, level: Level, lineBreak: string): string {
  return isDeeperThan(DEEPEST_INDENTED, members)
    ? compactJson(inOrder(members, level))
    : indented(isInOrder(members, level) ? members : inOrder(members, level), lineBreak);
}

const STATES = ["initial_state", "final_state"];
const PAYLOADS = ["payload_started", "payload_completed"];

/** A copy, so that what is read when it is looked at is read once. */
function withContent(object: Members, keys: readonly string[], replace: ReplaceContent): Members {
  const copy: Record<string, unknown> = { ...object };
  for (const key of keys) if (copy[key] !== undefined) copy[key] = replace(copy[key]);
  return copy;
}

function* listParts(
  list: Iterable<unknown>,
  level: Level,
  lineBreak: string,
  replace: ReplaceContent,
): Generator<string> {
  let before = "[";
  for (const item of list) {
    yield `${before}${lineBreak}  `;
    yield* parts(item, level, `${lineBreak}  `, replace);
    before = ",";
  }
  yield before === "[" ? "[]" : `${lineBreak}]`;
}

function* memberParts(
  object: Members,
  level: Level,
  lineBreak: string,
  replace: ReplaceContent,
): Generator<string> {
  let before = "{";
  for (const key of keysInOrder(object, level)) {
    const value = object[key];
    if (!isWritten(value)) continue;
    yield `${before}${lineBreak}  ${toJson(key)}: `;
    yield* parts(value, level.below.get(key), `${lineBreak}  `, replace);
    before = ",";
  }
  yield before === "{" ? "{}" : `${lineBreak}}`;
}

function textOf(value: unknown, lineBreak: string): string {
  return isDeeperThan(DEEPEST_INDENTED, value) ? compactJson(value) : indented(value, lineBreak);
}

/** The engine indents by depth, which is much faster than to indent its text: so the value is put that deep. */
function indented(value: unknown, lineBreak: string): string {
  if (!isObject(value)) return toJson(value);
  const depth = (lineBreak.length - 1) / 2;
  let nested: unknown = value;
  for (let i = 0; i < depth; i++) nested = [nested];
  const text = toIndentedJson(nested);
  // Around it: at each depth a bracket, a line feed and spaces.
  return text.slice(depth * (depth + 3), text.length - depth * (depth + 1));
}

/** Whether the keys, and those of the levels below, stand in writing order: what assembly makes does. */
function isInOrder(value: unknown, level: Level): boolean {
  if (!isObject(value)) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (!isInOrder(item, level)) return false;
    return true;
  }
  let last = -1;
  for (const key in value) {
    const rank = level.ranks.get(key) ?? -1;
    if (rank <= last) return false;
    last = rank;
    const member = value[key];
    const below = isObject(member) ? level.below.get(key) : undefined;
    if (below !== undefined && !isInOrder(member, below)) return false;
  }
  return true;
}

/** The value with its keys, and those of the levels below, in writing order. */
function inOrder(value: unknown, level: Level): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((item) => inOrder(item, level));
  // Without a prototype, `__proto__` is a key like any other.
  const result: Record<string, unknown> = Object.create(null);
  for (const key of keysInOrder(value, level)) {
    const below = level.below.get(key);
    result[key] = below === undefined ? value[key] : inOrder(value[key], below);
  }
  return result;
}

/** The own keys: the known ones as the level has them, then the others, sorted. */
function keysInOrder(object: Members, level: Level): string[] {
  const own = Object.keys(object);
  const keys: string[] = [];
  for (const key of level.ranks.keys()) if (Object.hasOwn(object, key)) keys.push(key);
  if (keys.length === own.length) return keys;
  return keys.concat(own.filter((key) => !level.ranks.has(key)).sort());
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}
