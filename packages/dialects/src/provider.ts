/** Which service a client talks to, as far as its base URL tells. */
export interface Provider {
  /** `gen_ai.provider.name`. */
  readonly name: string;
  readonly address?: string;
  readonly port?: number;
}

/** Providers by host, or by the end of one. The names are the convention's where it has one, else the service's own. */
const PROVIDERS: readonly (readonly [suffix: string, name: string])[] = [
  ["api.openai.com", "openai"],
  ["openai.azure.com", "azure.ai.openai"],
  ["cognitiveservices.azure.com", "azure.ai.openai"],
  ["services.ai.azure.com", "azure.ai.inference"],
  ["models.ai.azure.com", "azure.ai.inference"],
  ["inference.ai.azure.com", "azure.ai.inference"],
  ["amazonaws.com", "aws.bedrock"],
  ["api.aws", "aws.bedrock"],
  ["api.anthropic.com", "anthropic"],
  ["generativelanguage.googleapis.com", "gcp.gemini"],
  ["aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["-aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["api.cohere.com", "cohere"],
  ["api.cohere.ai", "cohere"],
  ["api.deepseek.com", "deepseek"],
  ["api.groq.com", "groq"],
  ["api.mistral.ai", "mistral_ai"],
  ["api.moonshot.ai", "moonshot_ai"],
  ["api.moonshot.cn", "moonshot_ai"],
  ["api.perplexity.ai", "perplexity"],
  ["api.x.ai", "x_ai"],
  ["ml.cloud.ibm.com", "ibm.watsonx.ai"],
  ["openrouter.ai", "openrouter"],
  ["api.together.xyz", "together_ai"],
  ["api.together.ai", "together_ai"],
  ["api.fireworks.ai", "fireworks_ai"],
  ["api.cerebras.ai", "cerebras"],
  ["huggingface.co", "hugging_face"],
  ["api.sambanova.ai", "sambanova"],
  ["integrate.api.nvidia.com", "nvidia"],
  ["api.minimax.io", "minimax"],
  ["api.z.ai", "z_ai"],
  ["dashscope.aliyuncs.com", "alibaba_cloud"],
  ["ai-gateway.vercel.sh", "vercel"],
  ["models.github.ai", "github"],
  ["ollama.com", "ollama"],
  // As containers and hosts of one's own are called
  ["ollama", "ollama"],
  ["vllm", "vllm"],
];

/** Local servers by the port that is theirs unless told otherwise. */
const LOCAL_PROVIDERS: ReadonlyMap<number, string> = new Map([
  [11434, "ollama"],
  [8000, "vllm"],
  [1234, "lm_studio"],
]);

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|0\.0\.0\.0|host\.docker\.internal)$/;

const known = new Map<string, Provider>();

/**
 * The provider behind a base URL. A host that is not in the table (a proxy, a server of one's own) is `openai`: the
 * client speaks OpenAI's protocol and knows no better.
 */
export function providerOf(baseUrl: unknown): Provider {
  if (typeof baseUrl !== "string") return { name: "openai" };
  const seen = known.get(baseUrl);
  if (seen !== undefined) return seen;
  const provider = readProvider(baseUrl);
  // A process talks to a handful of hosts; one that makes up base URLs must not fill the memory.
  if (known.size < 100) known.set(baseUrl, provider);
  return provider;
}

function readProvider(baseUrl: string): Provider {
  if (!URL.canParse(baseUrl)) return { name: "openai" };
  const url = new URL(baseUrl);
  const address = url.hostname.replace(/^\[|\]$/g, "");
  if (address === "") return { name: "openai" };
  const match = PROVIDERS.find(([suffix]) =>
    suffix.startsWith("-") ? address.endsWith(suffix) : `.${address}`.endsWith(`.${suffix}`),
  );
  const port = Number(url.port) || (url.protocol === "http:" ? 80 : 443);
  const local = LOOPBACK.test(address) ? LOCAL_PROVIDERS.get(port) : undefined;
  return { name: match?.[1] ?? local ?? "openai", address, port };
}
