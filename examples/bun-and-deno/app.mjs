import { startThoughtFlow } from "@thoughtflow/node";
import OpenAI from "openai";

const flow = startThoughtFlow({ openai: OpenAI });
const messages = [{ role: "user", content: "What's the weather in Seattle?" }];
const answer = await new OpenAI().chat.completions.create({ model: "gpt-4o-mini", messages });
console.log(answer.choices[0].finish_reason);
await flow.shutdown();
