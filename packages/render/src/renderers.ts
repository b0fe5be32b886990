import { csv } from "./csv.ts";
import { d2 } from "./d2.ts";
import { dot } from "./dot.ts";
import { gantt } from "./gantt.ts";
import { graphml } from "./graphml.ts";
import { markdown } from "./markdown.ts";
import { mermaid } from "./mermaid.ts";
import { model } from "./model-view.ts";
import { perfetto } from "./perfetto.ts";
import type { Renderer } from "./renderer.ts";
import { svg } from "./svg.ts";
import { thread } from "./thread.ts";
import { tree } from "./tree.ts";

/** The names of the renderers, in the order in which a help text lists them. */
export type RendererName =
  | "d2"
  | "svg"
  | "gantt"
  | "mermaid"
  | "markdown"
  | "dot"
  | "graphml"
  | "perfetto"
  | "csv"
  | "tree"
  | "thread"
  | "model";

/** Every renderer by its name. */
export const renderers: Readonly<Record<RendererName, Renderer>> = {
  d2,
  svg,
  gantt,
  mermaid,
  markdown,
  dot,
  graphml,
  perfetto,
  csv,
  tree,
  thread,
  model,
};
