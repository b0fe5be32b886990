// A chat server as people write them: a conversation a user, kept by the server or sent along by the browser. Tells its
// port, and at its end what memory it took.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import OpenAI from "openai";

const client = new OpenAI({ apiKey: "none", baseURL: process.env.BASE_URL, maxRetries: 0 });
const conversations = new Map();

async function answer({ user, text, messages = conversations.get(user) ?? [] }) {
  messages.push({ role: "user", content: text });
  // Of all parameters the seed, so that a recorded call tells whose it was.
  const asked = { model: "m", messages, seed: user };
  const { choices } = await client.chat.completions.create(asked);
  messages.push(choices[0].message);
  return messages;
}

const server = createServer(async (request, response) => {
  const asked = await json(request);
  const messages = await answer(asked);
  if (asked.messages === undefined) conversations.set(asked.user, messages);
  response.end(JSON.stringify(messages));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
process.once("exit", () => console.log(process.resourceUsage().maxRSS));
