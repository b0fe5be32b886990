// An app that knows nothing but openai: makes the calls of a manifest one after the other and prints what it got.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";

const [manifest, report] = process.argv.slice(2);
const APIS = {
  chat: (client, body, options) => client.chat.completions.create(body, options),
  responses: (client, body, options) => client.responses.create(body, options),
  completions: (client, body, options) => client.completions.create(body, options),
  embeddings: (client, body, options) => client.embeddings.create(body, options),
};

const outcomes = [];
for (const { baseURL, api, body } of JSON.parse(readFileSync(manifest, "utf8"))) {
  const client = new OpenAI({ apiKey: "sk-test", baseURL, maxRetries: 0, logLevel: "off" });
  outcomes.push(await outcomeOf(() => APIS[api](client, body)));
  // Documents know milliseconds: calls must not share one, or nobody could say which came first.
  await sleep(2);
}
writeFileSync(report, JSON.stringify(outcomes));

async function outcomeOf(call) {
  const chunks = [];
  try {
    const result = await call();
    if (typeof result[Symbol.asyncIterator] !== "function") return { result };
    for await (const chunk of result) chunks.push(chunk);
    return { chunks };
  } catch (error) {
    const { name, message, status, code, constructor } = error;
    return { chunks, error: { name, message, status, code, class: constructor.name } };
  }
}
