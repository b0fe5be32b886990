/** `gen_ai.provider.name` where the table of prices has another id for the same service. */
const IDS: ReadonlyMap<string, string> = new Map([
  ["aws.bedrock", "aws"],
  ["azure.ai.inference", "azure"],
  ["azure.ai.openai", "azure"],
  ["fireworks_ai", "fireworks"],
  ["gcp.gemini", "google"],
  ["gcp.gen_ai", "google"],
  ["gcp.vertex_ai", "google"],
  ["microsoft.foundry", "azure"],
  ["mistral_ai", "mistral"],
  ["moonshot_ai", "moonshotai"],
  ["together_ai", "together"],
  ["x_ai", "x-ai"],
]);

/** The table's id of a provider; its own name where it has none of the conventions. */
export function priceProviderOf(provider: string): string {
  return IDS.get(provider) ?? provider;
}
