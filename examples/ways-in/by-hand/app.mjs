import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import OpenAI from "openai";

const provider = new NodeTracerProvider({ spanProcessors: [new ThoughtFlowSpanProcessor()] });
provider.register();
const client = new OpenAI();
const undo = instrumentOpenAI(client); // its class, in truth: all clients of it

const messages = [{ role: "user", content: "What's the weather in Seattle?" }];
const answer = await client.chat.completions.create({ model: "gpt-4o-mini", messages });
console.log(answer.choices[0].finish_reason);
undo();
await provider.shutdown();
