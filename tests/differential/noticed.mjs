// Everything that an app can notice of a value: its classes, its keys and how they are defined, what is in them.

const NOT_COMPARED = new Set([
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
]);

/** Properties of errors and headers that differ from run to run. */
const CHANCE = new Set(["stack", "port", "localPort", "remotePort", "date"]);

/** A value as plain JSON, so that two processes can be compared. */
export function portrait(value, seen = new Map()) {
  if (typeof value === "string") return withoutChance(value);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "function") return `«function ${isClass(value) ? value.name : ""}»`;
  if (typeof value !== "object") return `«${typeof value} ${String(value)}»`;
  const known = seen.get(value);
  if (known !== undefined) return `«as at ${known}»`;
  seen.set(value, seen.size);
  const classes = classesOf(value);
  if (isHeaders(value)) {
    const entries = [...value.entries()].filter(([name]) => !NOT_COMPARED.has(name));
    return { "«class»": classes, entries: Object.fromEntries(entries) };
  }
  if (isResponse(value)) {
    const { status, ok, bodyUsed, headers } = value;
    return { "«class»": classes, status, ok, bodyUsed, headers: portrait(headers, seen) };
  }
  if (ArrayBuffer.isView(value))
    return { "«class»": classes, bytes: Buffer.from(value.buffer).toString("hex") };
  if (value instanceof AbortSignal) return { "«class»": classes, aborted: value.aborted };
  if (value instanceof Promise) return { "«class»": classes, keys: keysOf(value) };
  const drawn = Array.isArray(value) && classes === "Array < Object" ? [] : { "«class»": classes };
  for (const key of Reflect.ownKeys(value)) {
    if (CHANCE.has(key) || (Array.isArray(drawn) && key === "length")) continue;
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    drawn[`${flagsOf(descriptor)}${String(key)}`] =
      "value" in descriptor ? portrait(descriptor.value, seen) : "«accessor»";
  }
  if (drawn["«class»"] === "Object") delete drawn["«class»"];
  return drawn;
}

/** Ports and the boundaries of forms differ from run to run. */
function withoutChance(text) {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
    .replaceAll(/\b(formdata-undici-|form-data-boundary-|formdata-)\w+/g, "$1BOUNDARY");
}

/** How a class and what it inherits from is built: every property of its prototypes, with how its functions are built. */
export function blueprint(object) {
  return levelsOf(object, (key, value) => {
    if (typeof value !== "function") return [`${key} ${typeof value}`];
    const kind = Object.getPrototypeOf(value)?.constructor?.name;
    return [`${key} ${shapeOf(value)} ${kind} ${Reflect.ownKeys(value).map(String).sort()}`];
  });
}

/** The functions of an object that stands for one call, with the name and the length of each. */
export function functionsOf(object) {
  return levelsOf(object, (key, value) =>
    typeof value === "function" ? [`${key} ${shapeOf(value)}`] : [],
  );
}

function levelsOf(object, draw) {
  const levels = [];
  for (let at = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    levels.push(
      Reflect.ownKeys(at).flatMap((key) => {
        const descriptor = Object.getOwnPropertyDescriptor(at, key);
        return draw(`${flagsOf(descriptor)}${String(key)}`, descriptor.value);
      }),
    );
  }
  return levels;
}

function shapeOf({ name, length }) {
  return `${name}/${length}`;
}

/** How a call went: its value, or what it threw, at once or later. */
export async function outcome(call) {
  let promise;
  try {
    promise = call();
  } catch (error) {
    return { thrownAtOnce: portrait(error) };
  }
  try {
    return { value: portrait(await promise) };
  } catch (error) {
    return { rejected: portrait(error) };
  }
}

function classesOf(value) {
  const names = [];
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    names.push(Object.hasOwn(at, "constructor") ? at.constructor.name : "(no class)");
  }
  return names.join(" < ");
}

/** What Node before 24 hangs on every promise of a process in which anybody uses an `AsyncLocalStorage`. */
const NODES_OWN = /^Symbol\((async_id_symbol|trigger_async_id_symbol|kResourceStore)\)$/;

function keysOf(value) {
  return Reflect.ownKeys(value)
    .filter((key) => !NODES_OWN.test(String(key)))
    .map((key) => `${flagsOf(Object.getOwnPropertyDescriptor(value, key))}${String(key)}`);
}

function flagsOf({ enumerable, writable, configurable, get }) {
  if (get !== undefined) return enumerable ? "" : "(hidden) ";
  const marks = [];
  if (!enumerable) marks.push("hidden");
  if (writable === false) marks.push("fixed");
  if (!configurable) marks.push("bound");
  return marks.length === 0 ? "" : `(${marks.join(" ")}) `;
}

function isClass(value) {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

// By what they can do: openai 4 brings a fetch of its own.
function isHeaders(value) {
  return (
    (typeof value.entries === "function" && typeof value.getSetCookie === "function") ||
    value.constructor?.name === "Headers"
  );
}
function isResponse(value) {
  return value.constructor?.name === "Response";
}
