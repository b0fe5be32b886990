import { isObject } from "./read-thoughtbox.ts";

/** A member of a value that stands elsewhere, or exactly as it was, since where it belongs it would be cut or altered. */
export interface ExactPiece {
  /** The piece that it belongs to, counted from 0; absent: the value itself. */
  readonly of?: number;
  /** The way to the object or list that it is a member of. */
  readonly at: readonly (string | number)[];
  /** The member under its key, so that what is masked by key is masked here, too. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The key as the inside of a JSON string, where it is no text that can be written. */
  readonly key?: string;
  /** The member is JSON text of a text that can't be written. */
  readonly isJson?: true;
}

/** A value that documents can hold, and what it lacks. */
export interface ExactValue<T> {
  readonly shown: T;
  readonly pieces: readonly ExactPiece[];
}

/** Contents are cut at 64 levels; some are around a thought. */
const LEVELS = 40;

/** Half of a surrogate pair, of which there is no UTF-8. */
const HALF_PAIR = /\p{Surrogate}/u;
const HALF_PAIRS = /\p{Surrogate}/gu;

/**
 * Takes apart what a document would cut or alter: what nests deeper than 40 levels stands in pieces of its own, and a text
 * with half a surrogate pair stands there once more, as JSON, which escapes it.
 */
export function toExact<T extends object>(value: T): ExactValue<T> {
  const pieces: ExactPiece[] = [];
  const waiting: { readonly piece: number; readonly value: unknown }[] = [];

  function shownOf(value: unknown, of: Pick<ExactPiece, "of">, at: ExactPiece["at"]): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item, key) => memberOf(item, key, of, at));
    const members = Object.entries(value).flatMap(([key, item]) =>
      HALF_PAIR.test(key) ? moved(item, key, of, at) : [[key, memberOf(item, key, of, at)]],
    );
    return Object.fromEntries(members);
  }

  function memberOf(
    item: unknown,
    key: string | number,
    of: Pick<ExactPiece, "of">,
    at: ExactPiece["at"],
  ): unknown {
    if (typeof item === "string" && HALF_PAIR.test(item))
      pieces.push({ ...of, at, value: { [key]: JSON.stringify(item) }, isJson: true });
    if (typeof item !== "object" || item === null) return item;
    if (at.length < LEVELS) return shownOf(item, of, [...at, key]);
    wait({ ...of, at, value: { [key]: undefined } }, item);
    return Array.isArray(item) ? [] : {};
  }

  /** A member whose key can't be written. */
  function moved(
    item: unknown,
    key: string,
    of: Pick<ExactPiece, "of">,
    at: ExactPiece["at"],
  ): readonly [] {
    const isText = typeof item === "string" && HALF_PAIR.test(item);
    const piece = { ...of, at, key: JSON.stringify(key).slice(1, -1) };
    const shown = key.replaceAll(HALF_PAIRS, "\ufffd");
    if (isText) pieces.push({ ...piece, value: { [shown]: JSON.stringify(item) }, isJson: true });
    else wait({ ...piece, value: { [shown]: undefined } }, item);
    return [];
  }

  function wait(piece: ExactPiece, value: unknown): void {
    waiting.push({ piece: pieces.push(piece) - 1, value });
  }

  const shown = shownOf(value, {}, []) as T;
  for (const { piece, value: item } of waiting) {
    const one = pieces[piece];
    const [key = ""] = Object.keys(one?.value ?? {});
    if (one !== undefined)
      pieces[piece] = { ...one, value: { [key]: shownOf(item, { of: piece }, []) } };
  }
  return { shown, pieces };
}

/** Puts a value together again; of what was masked since, what is there. Changes `shown`. */
export function fromExact<T extends object>(shown: T, pieces: unknown): T {
  const roots: unknown[] = [];
  for (const piece of Array.isArray(pieces) ? pieces : []) {
    const { of, at, value, key, isJson } = isObject(piece) ? piece : {};
    const [[name, member] = []] = Object.entries(isObject(value) ? value : {});
    const given = isJson === true ? textOfJson(member) : member;
    roots.push(given);
    const start = typeof of === "number" ? roots[of] : shown;
    const parent = (Array.isArray(at) ? at : []).reduce(memberAt, start);
    if (typeof parent !== "object" || parent === null || name === undefined) continue;
    const own = typeof key === "string" ? textOfJson(`"${key}"`) : name;
    Object.defineProperty(parent, String(own), {
      value: given,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return shown;
}

function memberAt(value: unknown, key: unknown): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, String(key))
    ? (value as Readonly<Record<string, unknown>>)[String(key)]
    : undefined;
}

/** The text that JSON text stands for; the text itself where it was masked. */
function textOfJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}
