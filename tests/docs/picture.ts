import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DocExample } from "./examples-in.ts";
import { withoutChance } from "./without-chance.ts";

const PICTURES = join(import.meta.dirname, "../../docs/pictures");
/** Pictures of examples that have another name. */
const NAMES: ReadonlyMap<string, string> = new Map([["zero-code", "tool-loop"]]);

/** Where the picture of an example's session is; `undefined` where there is none. */
export function pictureOf({ name }: Pick<DocExample, "name">): string | undefined {
  const path = join(PICTURES, `${NAMES.get(name) ?? name}.svg`);
  return existsSync(path) ? path : undefined;
}

/** The `.d2` that a picture was drawn of, without what differs from run to run. */
export function drawnDiagram(picture: string): string {
  return withoutChance(drawnSource(picture) ?? "");
}

/** The same of a `.d2` as it would be drawn. */
export function diagramToDraw(source: string): string {
  return withoutChance(source.replaceAll(/^ *tooltip: .*\n/gm, ""));
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

function drawnSource(picture: string): string | undefined {
  return /<metadata>([\s\S]*?)<\/metadata>/
    .exec(readFileSync(picture, "utf8"))?.[1]
    ?.replaceAll(/&(?:lt|gt|amp);/g, (one) => ENTITIES[one] ?? one);
}
