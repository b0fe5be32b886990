import type { Dialect } from "@thoughtflow/dialects";
import {
  openaiChat,
  openaiCompletions,
  openaiEmbeddings,
  openaiResponses,
} from "@thoughtflow/dialects";

/** A prototype whose `create` is a model call. */
export interface Surface {
  readonly dialect: Dialect;
  readonly hasHistory: boolean;
  readonly prototype: object;
}

/** What was found of an SDK, whatever its version: absent parts are simply not there. */
export interface SdkShape {
  readonly surfaces: readonly Surface[];
  /** The prototype with `makeRequest`. */
  readonly client: object | undefined;
}

type Path = readonly [dialect: Dialect, hasHistory: boolean, ...names: string[]];

const PATHS: readonly Path[] = [
  [openaiChat, true, "Chat", "Completions"],
  [openaiResponses, true, "Responses"],
  [openaiCompletions, false, "Completions"],
  [openaiEmbeddings, false, "Embeddings"],
];

/**
 * Finds the model calls of an openai module, its `OpenAI` class or a client. A client stands for its class: all
 * clients of that class have the same prototypes.
 */
export function shapeOf(target: unknown): SdkShape {
  const sdk = classOf(target);
  const surfaces = PATHS.flatMap(([dialect, hasHistory, ...names]) => {
    const prototype =
      read(names.reduce<unknown>(read, sdk), "prototype") ??
      prototypeOf(names.map((name) => name.toLowerCase()).reduce<unknown>(read, target));
    return isObject(prototype) && typeof read(prototype, "create") === "function"
      ? [{ dialect, hasHistory, prototype }]
      : [];
  });
  return { surfaces, client: ownerOf(read(sdk, "prototype"), "makeRequest") };
}

/** The class: given itself, as `OpenAI` or `default` of its module, or as the constructor of a client. */
function classOf(target: unknown): unknown {
  if (typeof target === "function") return target;
  const exported = read(target, "OpenAI") ?? read(target, "default");
  return typeof exported === "function" ? exported : read(target, "constructor");
}

function ownerOf(start: unknown, name: string): object | undefined {
  for (let at = start; isObject(at); at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, name)) return at;
  }
  return undefined;
}

function prototypeOf(value: unknown): unknown {
  return isObject(value) ? Object.getPrototypeOf(value) : undefined;
}

function read(value: unknown, name: string): unknown {
  return isObject(value) || typeof value === "function"
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
