// A loop of openai's own with a think_aloud tool: told by its arguments alone, as runTools tells a function.
import { executeThinkAloud, thinkAloudTool } from "@thoughtflow/think-aloud";
import OpenAI from "openai";

const client = new OpenAI({ apiKey: "none", maxRetries: 0 });
const { parameters, ...think } = thinkAloudTool.chat.function;
const runner = client.chat.completions.runTools({
  model: "m",
  messages: [{ role: "user", content: "Go." }],
  tools: [
    {
      type: "function",
      function: { ...think, parameters, function: executeThinkAloud, parse: JSON.parse },
    },
  ],
});
console.log(await runner.finalContent());
