export { d2 } from "./d2.ts";
export { d2String, d2Tooltip } from "./d2-text.ts";
export { plainText } from "./plain-text.ts";
export type { Renderer, RenderOptions } from "./renderer.ts";
export { renderers } from "./renderers.ts";
export { svg } from "./svg.ts";
export { svgText } from "./svg-text.ts";
export { tree } from "./tree.ts";
