// An app that leaves its tool loop to openai.
import OpenAI from "openai";

const populations = { Crumpet: 123124 };
const tools = {
  lookup_population: ({ country }) => String(populations[country] ?? 0),
  can_have_dragons: ({ population }) => String(population > 10000),
};

const runner = new OpenAI({ maxRetries: 0 }).chat.completions.runTools({
  model: "gpt-4o-mini",
  messages: [
    {
      role: "user",
      content: "Can the country of Crumpet have dragons? Answer with only YES or NO",
    },
  ],
  tools: Object.entries(tools).map(([name, run]) => ({
    type: "function",
    function: { name, description: "", parameters: {}, parse: JSON.parse, function: run },
  })),
});
console.log(await runner.finalContent());
