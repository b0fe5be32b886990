import { LEGACY_SYSTEMS } from "@thoughtflow/semconv";

/** Today's value of `gen_ai.provider.name` by the beginnings of what emitters call it; the longest that fits wins. */
const PROVIDERS: readonly (readonly [start: string, provider: string])[] = [
  ["openai", "openai"],
  ["anthropic", "anthropic"],
  ["azure-openai", "azure.ai.openai"],
  ["azure.ai", ""],
  ["azure", "azure.ai.openai"],
  ["google.generative-ai", "gcp.gemini"],
  ["google.vertex", "gcp.vertex_ai"],
  ["google_genai", "gcp.gemini"],
  ["google-genai", "gcp.gemini"],
  ["google", "gcp.gemini"],
  ["gemini", "gcp.gemini"],
  ["vertexai", "gcp.vertex_ai"],
  ["vertex_ai", "gcp.vertex_ai"],
  ["vertex", "gcp.vertex_ai"],
  ["amazon-bedrock", "aws.bedrock"],
  ["bedrock", "aws.bedrock"],
  ["aws.", ""],
  ["aws", "aws.bedrock"],
  ["mistral", "mistral_ai"],
  ["xai", "x_ai"],
  ["cohere", "cohere"],
  ["groq", "groq"],
  ["deepseek", "deepseek"],
  ["perplexity", "perplexity"],
];

const LONGEST_FIRST = PROVIDERS.toSorted(([a], [b]) => b.length - a.length);

const BY_OLDER_NAME: ReadonlyMap<string, string> = new Map(
  [...LEGACY_SYSTEMS].map(([now, before]) => [before, now]),
);

/** A provider in today's spelling: `OpenAI`, `openai.chat` → `openai`; an unknown one as it came. */
export function providerName(given: string): string {
  const name = given.toLowerCase();
  const renamed = BY_OLDER_NAME.get(name);
  if (renamed !== undefined) return renamed;
  const [, provider] = LONGEST_FIRST.find(([start]) => name.startsWith(start)) ?? [];
  return provider || given;
}
