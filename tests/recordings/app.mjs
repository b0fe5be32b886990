// An app that knows nothing but openai: makes the calls of a manifest one after the other and prints what it got.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";

const [manifest, report] = process.argv.slice(2);

const outcomes = [];
for (const { baseURL, method, args } of JSON.parse(readFileSync(manifest, "utf8"), withUploads)) {
  const client = new OpenAI({ apiKey: "sk-test", baseURL, maxRetries: 0, logLevel: "off" });
  const names = method.split(".");
  const name = names.pop();
  const resource = names.reduce((at, key) => at[key], client);
  outcomes.push(await outcomeOf(() => resource[name](...args)));
  // Documents know milliseconds: calls must not share one, or nobody could say which came first.
  await sleep(2);
}
writeFileSync(report, JSON.stringify(outcomes));

async function outcomeOf(call) {
  const chunks = [];
  try {
    const result = await call();
    if (typeof result?.[Symbol.asyncIterator] !== "function") return { result };
    for await (const chunk of result) chunks.push(chunk);
    return { chunks };
  } catch (error) {
    const { name, message, status, code, constructor } = error;
    return { chunks, error: { name, message, status, code, class: constructor.name } };
  }
}

/** JSON has no files: `{ "upload": "a.txt" }` stands for one. */
function withUploads(_key, value) {
  return typeof value?.upload === "string" ? new File(["12345"], value.upload) : value;
}
