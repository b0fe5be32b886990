// A script that knows nothing but openai: two conversations with the same words, in turns.
import OpenAI from "openai";

const client = new OpenAI({ apiKey: "none", baseURL: process.env.BASE_URL, maxRetries: 0 });
const conversations = [[], []];
for (const text of ["hi", "and now?"]) {
  for (const [seed, messages] of conversations.entries()) {
    messages.push({ role: "user", content: text });
    const asked = { model: "m", messages, seed };
    const { choices } = await client.chat.completions.create(asked);
    messages.push(choices[0].message);
  }
}
