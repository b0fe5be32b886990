import { d2 } from "./d2.ts";
import type { Renderer } from "./renderer.ts";
import { svg } from "./svg.ts";
import { tree } from "./tree.ts";

/** Every renderer by its name, in the order in which a help text lists them. */
export const renderers = { d2, svg, tree } as const satisfies Readonly<Record<string, Renderer>>;
