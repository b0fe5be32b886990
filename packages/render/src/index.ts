// Diagrams
export { d2 } from "./d2.ts";
// How text of a document enters each format
export { d2String, d2Tooltip } from "./d2-text.ts";
// How figures read
export { counted, formatCost, formatUsage } from "./figures.ts";
export { createAskedAgents, runWords } from "./flow-title.ts";
export { MOST_BOXES } from "./fold-runs.ts";
// Answers about one step
export { renderImpact } from "./impact-view.ts";
// Readings
export { markdown } from "./markdown.ts";
export { markdownFence, markdownHtml, markdownQuote, markdownText } from "./markdown-text.ts";
export { mermaid } from "./mermaid.ts";
export { mermaidText } from "./mermaid-text.ts";
export { plainText } from "./plain-text.ts";
export { printableJson } from "./printable-json.ts";
export { renderPrompt } from "./prompt-view.ts";
export type { Renderer, RenderOptions } from "./renderer.ts";
export { type RendererName, renderers } from "./renderers.ts";
// What pictures show of steps that are not in memory
export { createRunStretches, type RunStretch, type RunStretches } from "./run-stretches.ts";
export { idShortener } from "./short-ids.ts";
export { svg } from "./svg.ts";
export { svgText } from "./svg-text.ts";
export { thread } from "./thread.ts";
export { type TreeLine, tree, treeLines } from "./tree.ts";
export { renderWhy } from "./why-view.ts";
// Diagrams of workflow documents
export {
  type WorkflowRenderer,
  type WorkflowRendererName,
  workflowRenderers,
} from "./workflow-renderers.ts";
