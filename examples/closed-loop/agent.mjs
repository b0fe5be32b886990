/**
 * An agent that reads its own last flow and proposes a change of its guidance; a person decides. Needs no key and no
 * network: a made-up model answers, unless `OPENAI_BASE_URL` names another.
 *
 *   node --import @thoughtflow/node/register closed-loop/agent.mjs "How warm is it in Canberra?"
 *   node --import @thoughtflow/node/register closed-loop/agent.mjs --reflect
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { adaptationChatTools, openAdaptations, runAdaptationTool } from "@thoughtflow/adaptations";
import { renderers } from "@thoughtflow/render";
import { composePrompt, withRun } from "@thoughtflow/tracing";
import OpenAI from "openai";
import { startModel } from "./model.mjs";

const dir = process.env.THOUGHTFLOW_DIR ?? "thoughtflow";
const SCOPE = { agent: "weather", channel: "chat" };

/** Fixed by the program, as is who approves: the public half of the key that `thoughtflow adapt key` made. */
const adaptations = openAdaptations({
  dir: join(dir, "adaptations"),
  catalogue: [
    { id: "adn.units", title: "Units", content: "", scope: { agent: "weather" }, enabled: false },
  ],
  ...(process.env.APPROVER && { approver: readFileSync(process.env.APPROVER, "utf8") }),
  watch: false,
});

/** The latest session, in the short form that is made for models. */
function lastFlow() {
  const [latest] = readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(dir, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (latest === undefined) return "There is none yet.";
  return renderers.model.render(JSON.parse(readFileSync(latest, "utf8")), { tokens: 1_000 });
}

async function ask(client, parts) {
  const personality = { type: "personality", value: "You are a weather agent, brief and kind." };
  const guidance = adaptations.promptParts(SCOPE);
  const messages = composePrompt([personality, ...guidance, ...parts], { as: "messages" });
  const tools = adaptationChatTools();
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: "made-up", messages, tools });
    const [{ message }] = choices;
    if (!message.tool_calls) return message.content;
    messages.push(message);
    for (const { id, function: call } of message.tool_calls) {
      const result = runAdaptationTool(adaptations, call.name, call.arguments);
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(result) });
    }
  }
}

const model = await startModel();
const baseURL = process.env.OPENAI_BASE_URL ?? model.url;
const client = new OpenAI({ apiKey: process.env.OPENAI_API_KEY ?? "none", baseURL, maxRetries: 0 });
const [word = "How warm is it in Canberra?"] = process.argv.slice(2);
const parts =
  word === "--reflect"
    ? [
        { type: "user_instruction", value: "Here is your last flow. What would you change?" },
        { type: "retrieved", value: lastFlow(), role: "user" },
      ]
    : [{ type: "user_instruction", value: word }];
const agent = word === "--reflect" ? "reflection" : SCOPE.agent;
console.log(await withRun({ ...SCOPE, agent, trigger: "user_message" }, () => ask(client, parts)));
model.close();
