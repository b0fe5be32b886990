// The same as app.mjs, in CommonJS.
const { setTimeout } = require("node:timers/promises");
const api = require("@opentelemetry/api");
const OpenAI = require("openai");
const { agent } = require("./agent.cjs");
const { report } = require("./own-spans.cjs");

async function main() {
  const [lateSetup] = process.argv.slice(2);
  if (lateSetup !== undefined) {
    await setTimeout(20);
    require(lateSetup);
  }
  const answers = await agent({ OpenAI, api });
  process.once("exit", () => report(answers));
}

void main();
