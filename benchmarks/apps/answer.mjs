import OpenAI from "openai";

const client = new OpenAI({ apiKey: "none", baseURL: process.argv[2] });
await client.chat.completions.create({
  model: "gpt-4.1-mini",
  messages: [{ role: "user", content: "hello" }],
});
console.log(performance.timeOrigin + performance.now());
