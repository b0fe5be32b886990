import { ChatOpenAI } from "@langchain/openai";
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import { trace } from "@opentelemetry/api";
import OpenAI from "openai";
import { z } from "zod";

// LangChain and the OpenAI Agents SDK over openai: an answer each, a tool loop, and a call that another span reports.
setTracingDisabled(true);
const chat = new ChatOpenAI({ model: "m" });
console.log((await chat.invoke("Hello")).content);

const add = tool({
  name: "add",
  description: "Adds.",
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});
const runner = new Runner({
  modelProvider: new OpenAIProvider({ openAIClient: new OpenAI(), useResponses: false }),
});
const agent = new Agent({ name: "Adder", instructions: "Be kind.", model: "m", tools: [add] });
console.log((await runner.run(agent, "What is 1 + 2?")).finalOutput);

const attributes = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" };
const tracer = trace.getTracer("somebody else");
await tracer.startActiveSpan("chat m", { attributes }, async (span) => {
  console.log((await chat.invoke("Bye")).content);
  span.setAttributes({ "gen_ai.usage.input_tokens": 8, "gen_ai.usage.output_tokens": 2 });
  span.end();
});
