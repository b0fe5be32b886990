import type { LanguageModel } from "ai";
import type OpenAI from "openai";

type Model = Exclude<LanguageModel, string>;

/** A model of the Vercel AI SDK that an app makes of the openai SDK: its answers are those of `create`. */
export function openaiModel(openai: OpenAI, modelId: string): LanguageModel {
  const model = {
    specificationVersion: "v4",
    provider: "openai",
    modelId,
    supportedUrls: {},
    async doGenerate() {
      const { choices, usage } = await openai.chat.completions.create({
        model: modelId,
        messages: [{ role: "user", content: "Hello" }],
      });
      return {
        content: [{ type: "text", text: choices[0]?.message.content ?? "" }],
        finishReason: { unified: "stop", raw: "stop" },
        usage: {
          inputTokens: { total: usage?.prompt_tokens },
          outputTokens: { total: usage?.completion_tokens },
        },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error("not streamed")),
  };
  return model as unknown as Model;
}
