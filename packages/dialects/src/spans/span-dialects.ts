import type { SpanDialect } from "./span-dialect.ts";
import { ag2 } from "./tables/ag2.ts";
import { autoGen } from "./tables/autogen.ts";
import { bedrock } from "./tables/bedrock.ts";
import { beeAi } from "./tables/beeai.ts";
import { claudeCode } from "./tables/claude-code.ts";
import { codex } from "./tables/codex.ts";
import { geminiCli } from "./tables/gemini-cli.ts";
import { genAiGenerations } from "./tables/gen-ai-generations.ts";
import { genkit } from "./tables/genkit.ts";
import { googleAdk } from "./tables/google-adk.ts";
import { haystack } from "./tables/haystack.ts";
import { laminar } from "./tables/laminar.ts";
import { langfuse } from "./tables/langfuse.ts";
import { langSmith } from "./tables/langsmith.ts";
import { langtrace } from "./tables/langtrace.ts";
import { liteLlm } from "./tables/litellm.ts";
import { liveKit } from "./tables/livekit.ts";
import { mastra } from "./tables/mastra.ts";
import { mlflow } from "./tables/mlflow.ts";
import { openaiAgents } from "./tables/openai-agents.ts";
import { openInference } from "./tables/openinference.ts";
import { openInferenceAgents } from "./tables/openinference-agents.ts";
import { openInferenceDspy } from "./tables/openinference-dspy.ts";
import { openInferenceLangChain } from "./tables/openinference-langchain.ts";
import { openInferenceLlamaIndex } from "./tables/openinference-llama-index.ts";
import { openInferenceSmolagents } from "./tables/openinference-smolagents.ts";
import { openLit } from "./tables/openlit.ts";
import { openLLMetry } from "./tables/openllmetry.ts";
import { pipecat } from "./tables/pipecat.ts";
import { pydanticAi } from "./tables/pydantic-ai.ts";
import { tanStackAi } from "./tables/tanstack-ai.ts";
import { traceloopLlamaIndex } from "./tables/traceloop-llama-index.ts";
import { traceloopMcp } from "./tables/traceloop-mcp.ts";
import { vercelAi } from "./tables/vercel-ai.ts";

/** Every dialect that is understood; a span may speak several, and what an earlier one says wins. */
export const SPAN_DIALECTS: readonly SpanDialect[] = [
  tanStackAi,
  langfuse,
  beeAi,
  openInferenceAgents,
  openInferenceLlamaIndex,
  openInferenceLangChain,
  openInferenceSmolagents,
  openInferenceDspy,
  openInference,
  traceloopLlamaIndex,
  traceloopMcp,
  openLLMetry,
  vercelAi,
  langSmith,
  openaiAgents,
  pydanticAi,
  claudeCode,
  geminiCli,
  codex,
  googleAdk,
  mastra,
  genkit,
  haystack,
  mlflow,
  liteLlm,
  openLit,
  bedrock,
  ag2,
  autoGen,
  liveKit,
  pipecat,
  langtrace,
  laminar,
  genAiGenerations,
];
