import type { Endpoint } from "./endpoints.ts";
import { ENDPOINTS } from "./endpoints.ts";

/** A method of the SDK that sends a request of which the table says what it leaves. */
export interface Surface {
  readonly endpoint: Endpoint;
  readonly prototype: object;
  readonly method: string;
}

/** What was found of an SDK, whatever its version: absent parts are simply not there. */
export interface SdkShape {
  /** The `OpenAI` class, or what was taken for it. */
  readonly sdk: unknown;
  readonly surfaces: readonly Surface[];
  /** The prototype through which all requests go. */
  readonly client: object | undefined;
}

/**
 * Finds the methods of the table in an openai module, its `OpenAI` class or a client. A client stands for its class:
 * all clients of that class have the same prototypes.
 */
export function shapeOf(target: unknown): SdkShape {
  const sdk = classOf(target);
  const surfaces = ENDPOINTS.flatMap((endpoint): readonly Surface[] => {
    const names = endpoint.call?.split(".") ?? [];
    const method = names.pop();
    if (method === undefined) return [];
    const prototype =
      read(names.map(capitalised).reduce<unknown>(read, sdk), "prototype") ??
      prototypeOf(names.reduce<unknown>(read, target));
    return isObject(prototype) && typeof read(prototype, method) === "function"
      ? [{ endpoint, prototype, method }]
      : [];
  });
  return { sdk, surfaces, client: ownerOf(read(sdk, "prototype"), "makeRequest") };
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
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
