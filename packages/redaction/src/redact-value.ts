import { USER_AND_PASSWORD, USER_FLAG } from "./curl-passwords.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { findBase64, LONG_BASE64, type Omitted, omitBytes } from "./media.ts";
import { isPlainName } from "./plain-names.ts";
import { redactText } from "./redact-text.ts";
import type { RedactionConfig } from "./redaction-config.ts";
import { FLAG_VALUE, SECRET_FIELD, SECRET_FLAG, TOKEN_VALUE } from "./secret-families.ts";

const MAX_DEPTH = 64;
/** Ends a walk over what is small in memory and endless as JSON: shared references, sparse arrays. */
const MAX_NODES = 1_000_000;
/** Longer arrays of numbers are embedding vectors. */
const MAX_NUMBERS = 64;

/** Words of a command line that are longer are no flags. */
const MAX_FLAG = 64;
/** So many words back a command is looked for. */
const MOST_WORDS = 64;

const UNREADABLE = "[unreadable]";

interface Walk {
  readonly attribute: string;
  readonly config: RedactionConfig;
  /** The objects between the root and here, to see a cycle. */
  readonly ancestors: object[];
  nodes: number;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * A plain-JSON copy, as `JSON.stringify` would show the value, made safe on the way; total where that throws.
 * `undefined` for what JSON leaves out.
 */
export function redactValue(value: unknown, attribute: string, config: RedactionConfig): unknown {
  return copy(value, "", undefined, { attribute, config, ancestors: [], nodes: 0 });
}

function copy(
  value: unknown,
  key: string | number,
  parent: object | undefined,
  walk: Walk,
): unknown {
  switch (typeof value) {
    case "string":
      return copyText(value, parent, walk);
    case "number":
      return Number.isFinite(value) ? value + 0 : String(value);
    case "bigint":
      return String(value);
    case "boolean":
      return value;
    case "object":
      return value === null ? null : copyObject(value, key, walk);
    default:
      return undefined;
  }
}

function copyText(text: string, parent: object | undefined, walk: Walk): unknown {
  if (walk.config.media === "omit" && text.length >= LONG_BASE64) {
    const told = mediaTypeIn(parent);
    const [stretch] = findBase64(text, told !== undefined && !told.startsWith("text/"));
    if (stretch?.start === 0 && stretch.end === text.length) {
      const mediaType = stretch.note.media_type ?? told;
      return mediaType === undefined
        ? stretch.note
        : { ...stretch.note, media_type: redactText(mediaType, walk.attribute, walk.config) };
    }
  }
  return redactText(text, walk.attribute, walk.config);
}

function copyObject(value: object, key: string | number, walk: Walk): unknown {
  if (walk.ancestors.includes(value)) return "[circular]";
  if (walk.ancestors.length >= MAX_DEPTH) return "[truncated: depth]";
  if (++walk.nodes > MAX_NODES) return "[truncated: size]";
  walk.ancestors.push(value);
  try {
    // Buffers first: their own toJSON makes an array of numbers.
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return copyBinary(value, walk);
    const toJson: unknown = "toJSON" in value ? value.toJSON : undefined;
    if (typeof toJson === "function") {
      const shown: unknown = toJson.call(value, String(key));
      return typeof shown === "object" && shown !== null
        ? copyMembers(shown, walk)
        : copy(shown, key, undefined, walk);
    }
    return copyMembers(value, walk);
  } catch {
    return UNREADABLE;
  } finally {
    walk.ancestors.pop();
  }
}

function copyMembers(value: object, walk: Walk): unknown {
  if (Array.isArray(value)) return copyArray(value, walk);
  if (value instanceof Set) return copyArray([...value], walk);
  if (value instanceof Map) return copyMap(value, walk);
  if (value instanceof Error) {
    const { name, message, stack } = value;
    return copyRecord({ ...value, name, message, stack }, walk);
  }
  if (value instanceof RegExp) return redactText(String(value), walk.attribute, walk.config);
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return copy(value.valueOf(), "", undefined, walk);
  }
  return copyRecord(value as Members, walk);
}

function copyArray(items: readonly unknown[], walk: Walk): unknown {
  const omitted = vectorIn(items);
  if (omitted !== undefined) return omitted;
  const copies: unknown[] = [];
  for (let index = 0; index < items.length; index++) {
    if (++walk.nodes > MAX_NODES) {
      copies.push("[truncated: size]");
      break;
    }
    const masked = walk.config.secrets ? wordWithoutSecret(items, index) : undefined;
    copies.push(masked ?? copyMember(items, index, true, walk) ?? null);
  }
  return copies;
}

function copyRecord(record: Members, walk: Walk): Record<string, unknown> {
  const copies: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    if (++walk.nodes > MAX_NODES) {
      copies["[truncated: size]"] = true;
      break;
    }
    const isPlain = isPlainName(key);
    const member = copyMember(record, key, isPlain, walk);
    if (member !== undefined) setOwn(copies, isPlain ? key : keyText(key, walk), member);
  }
  return copies;
}

/** An object where all keys are strings, a list of pairs otherwise. */
function copyMap(map: ReadonlyMap<unknown, unknown>, walk: Walk): unknown {
  const entries = [...map];
  if (!entries.every(([key]) => typeof key === "string")) return copyArray(entries, walk);
  const record: Record<string, unknown> = {};
  for (const [key, member] of entries) setOwn(record, String(key), member);
  return copyRecord(record, walk);
}

/** `isPlain`: the key makes nothing a secret. */
function copyMember(parent: object, key: string | number, isPlain: boolean, walk: Walk): unknown {
  let member: unknown;
  try {
    member = (parent as Readonly<Record<string | number, unknown>>)[key];
  } catch {
    return UNREADABLE;
  }
  const isSecret = !isPlain && walk.config.secrets && isSecretField(String(key), member);
  return isSecret ? `[redacted: ${String(key).toLowerCase()}]` : copy(member, key, parent, walk);
}

/** What a word of a command line becomes because of the words before it; `undefined` where they make nothing of it a secret. */
function wordWithoutSecret(items: readonly unknown[], index: number): string | undefined {
  const word = items[index];
  const flag = items[index - 1];
  if (typeof word !== "string" || typeof flag !== "string") return undefined;
  if (!flag.startsWith("-") || flag.length > MAX_FLAG) return undefined;
  if (SECRET_FLAG.test(flag) && FLAG_VALUE.test(word)) return "[redacted: secret]";
  const [, user] = (USER_FLAG.test(flag) && USER_AND_PASSWORD.exec(word)) || [];
  if (user === undefined || !items.slice(Math.max(0, index - MOST_WORDS), index).some(isCurl))
    return undefined;
  return `${user}[redacted: credentials]`;
}

function isCurl(word: unknown): boolean {
  return typeof word === "string" && /(?:^|\/)curl$/.test(word);
}

function isSecretField(key: string, value: unknown): boolean {
  if (key === "token") return typeof value === "string" && TOKEN_VALUE.test(value);
  return SECRET_FIELD.test(key) && isFilled(value);
}

/** Values that a secret may have; an object under such a name is rather a schema that describes it. */
function isFilled(value: unknown): boolean {
  if (typeof value === "string" || Array.isArray(value)) return value.length > 0;
  return typeof value === "number" || typeof value === "bigint";
}

function copyBinary(value: ArrayBufferView | ArrayBuffer, walk: Walk): unknown {
  if (ArrayBuffer.isView(value) && !(value instanceof Uint8Array) && !(value instanceof DataView)) {
    return copyArray(Array.from(value as unknown as Iterable<unknown>), walk);
  }
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value);
  if (walk.config.media === "omit" && bytes.length * 4 >= LONG_BASE64 * 3) return omitBytes(bytes);
  return redactText(bytes.toString("base64"), walk.attribute, walk.config);
}

function vectorIn(items: readonly unknown[]): Omitted | undefined {
  const [first] = items;
  const count = items.length;
  if (typeof first === "object" && first !== null && "logprob" in first && "token" in first) {
    return { omitted: "logprobs", count };
  }
  if (count <= MAX_NUMBERS) return undefined;
  for (let index = 0; index < count; index++) {
    if (typeof items[index] !== "number") return undefined;
  }
  return { omitted: "embedding", count };
}

function mediaTypeIn(parent: object | undefined): string | undefined {
  const type =
    (parent as Members | undefined)?.["mime_type"] ??
    (parent as Members | undefined)?.["media_type"];
  return typeof type === "string" ? type : undefined;
}

/** Keys are names, so the hook doesn't see them; a map from a key to something is still no place for a key. */
function keyText(key: string, walk: Walk): string {
  const name = key.toWellFormed();
  return walk.config.secrets ? maskSecrets(name) : name;
}

/** Also for `__proto__`, which would otherwise set the prototype. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}
