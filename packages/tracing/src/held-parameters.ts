import { bytesOf } from "./memory-of.ts";
import { processState } from "./process-state.ts";

/** Something of the program's that several spans may hold: it counts once. */
export interface HeldPiece {
  /** What it takes, about. */
  readonly bytes: number;
  /** The account in which `bytes` were counted last. */
  account: number;
}

/** Where parameters hold what is an item of the input, and counted as such. */
const INPUT: ReadonlySet<string> = new Set(["messages", "input", "prompt"]);
/** A shorter text is a few bytes of each call. */
const LONG_TEXT = 512;
/** A program has few instructions; one that writes the time into them must not fill the memory. */
const TEXTS_KNOWN = 32;

const known = processState("held-parameters.v1", () => ({
  objects: new WeakMap<object, HeldPiece>(),
  texts: new Map<string, HeldPiece>(),
}));

/** The long ones of a request's parameters beside its input: instructions, tools, schemas, files. */
export function heldParameters(request: unknown): readonly HeldPiece[] {
  const pieces: HeldPiece[] = [];
  for (const [name, value] of Object.entries(request ?? {})) {
    if (INPUT.has(name)) continue;
    if (typeof value === "string" && value.length > LONG_TEXT) pieces.push(pieceOfText(value));
    else if (typeof value === "object" && value !== null) pieces.push(pieceOfObject(value));
  }
  return pieces;
}

function pieceOfText(text: string): HeldPiece {
  const before = known.texts.get(text);
  if (before !== undefined) return before;
  if (known.texts.size >= TEXTS_KNOWN) known.texts.clear();
  const piece = { bytes: bytesOf(text), account: 0 };
  known.texts.set(text, piece);
  return piece;
}

/** A list that is made anew for every call is known by its first object. */
function pieceOfObject(value: object): HeldPiece {
  const [first] = Array.isArray(value) ? value : [];
  const key: object = typeof first === "object" && first !== null ? first : value;
  const before = known.objects.get(key);
  if (before !== undefined) return before;
  const piece = { bytes: bytesOf(value), account: 0 };
  known.objects.set(key, piece);
  return piece;
}
