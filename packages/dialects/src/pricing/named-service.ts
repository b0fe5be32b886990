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
  let rest = name;
  while (provider === undefined && ROUTERS.has(serviceIn(rest))) rest = behindService(rest);
  const sold = SERVICES.get(serviceIn(rest));
  if (sold === undefined) return rest === name ? undefined : { provider, model: rest };
  if (provider !== undefined && provider !== sold) return undefined;
  return { provider: sold, model: behindService(rest) };
}

function serviceIn(name: string): string {
  return name.slice(0, Math.max(name.indexOf("/"), 0));
}

function behindService(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}
