import OpenAI from "openai";

const client = new OpenAI({ apiKey: "none", baseURL: process.argv[2] });
await client.chat.completions.create({
  model: "gpt-4.1-mini",
  messages: [{ role: "user", content: "hello" }],
});
const { user, system } = process.cpuUsage();
console.log(performance.timeOrigin + performance.now(), (user + system) / 1000);
