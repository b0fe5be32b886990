// The tool: its definitions, what executes it, what tells a model to use it

export {
  executeThinkAloud,
  isThinkAloudCall,
  type ThinkAloudOptions,
  type ThinkAloudResult,
} from "./execute-think-aloud.ts";
export { thinkAloudGuidance } from "./think-aloud-guidance.ts";
export {
  defineThinkAloud,
  type ThinkAloudChatTool,
  type ThinkAloudMcpTool,
  type ThinkAloudOffer,
  type ThinkAloudResponsesTool,
  type ThinkAloudTools,
  thinkAloudTool,
} from "./think-aloud-tool.ts";
export { createThoughtBudget, type ThoughtBudget } from "./thought-budget.ts";

// Thoughts as they happen

export {
  subscribeToThoughts,
  type ThoughtListener,
  type ThoughtSource,
  type ThoughtStreamEvent,
} from "@thoughtflow/tracing";

// Thoughts that a model writes into its text

export {
  createThinkingTagParser,
  type TagAttributes,
  type TaggedThought,
  type ThinkingTagListener,
  type ThinkingTagParser,
  thinkingTagsIn,
} from "@thoughtflow/thoughts";
