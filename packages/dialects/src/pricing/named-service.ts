/** A model, and who sells it, as the table of prices names both. */
export interface SoldModel {
  /** `undefined` where nobody says. */
  readonly provider: string | undefined;
  readonly model: string;
}

/** The table's id of the service that a model's name begins with, as LiteLLM and the programs that call models by it write it. */
const SERVICES: ReadonlyMap<string, string> = new Map([
  ["anthropic", "anthropic"],
  ["azure", "azure"],
  ["azure_ai", "azure"],
  ["bedrock", "aws"],
  ["cerebras", "cerebras"],
  ["cohere", "cohere"],
  ["cohere_chat", "cohere"],
  ["deepseek", "deepseek"],
  ["fireworks_ai", "fireworks"],
  ["gemini", "google"],
  ["google", "google"],
  ["groq", "groq"],
  ["minimax", "minimax"],
  ["mistral", "mistral"],
  ["moonshot", "moonshotai"],
  ["novita", "novita"],
  ["openai", "openai"],
  ["openrouter", "openrouter"],
  ["perplexity", "perplexity"],
  ["together_ai", "together"],
  ["vertex_ai", "google"],
  ["xai", "x-ai"],
  ["zai", "zhipuai"],
]);

/** What only hands on to a service. */
const ROUTERS: ReadonlySet<string> = new Set(["litellm_proxy", "openhands"]);

/**
 * What a model is whose name begins with its service: `openai/gpt-5-mini`. `undefined` where the name says none, or another one
 * than is known: who runs a model themselves may call it by whoever made it.
 *
 * @param provider The table's id, where it is known otherwise.
 */
export function modelOfService(provider: string | undefined, name: string): SoldModel | undefined {
  const slash = name.indexOf("/");
  const service = name.slice(0, Math.max(slash, 0));
  const model = name.slice(slash + 1);
  if (ROUTERS.has(service) && provider === undefined)
    return modelOfService(undefined, model) ?? { provider, model };
  const sold = SERVICES.get(service);
  if (sold === undefined || (provider !== undefined && provider !== sold)) return undefined;
  return { provider: sold, model };
}
